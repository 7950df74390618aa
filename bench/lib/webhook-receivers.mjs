// Runs ten webhook receivers in one process. The message {dead} resets the counts and sets whether the first receiver
// hangs. The reply to every message contains the counts.
import { once } from 'node:events';
import { createServer } from 'node:http';

const counts = new Array(10).fill(0);
let dead = false;

async function listen(index) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (dead && index === 0) return;
      counts[index] += 1;
      response.end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

const ports = await Promise.all(counts.map((_, index) => listen(index)));
process.on('message', (message) => {
  if (message.dead !== undefined) {
    dead = message.dead;
    counts.fill(0);
  }
  process.send({ counts });
});
process.send({ ports });
