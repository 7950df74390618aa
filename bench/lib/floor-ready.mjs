// Baseline: plain Node.js, which sends the content of the file READY.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const ready = await readFile(process.env.READY);
const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': ready.length };
const server = createServer((_, response) => response.writeHead(200, headers).end(ready));
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
