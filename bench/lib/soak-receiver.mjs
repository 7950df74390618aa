// Receives webhooks in its own process, because the process that generates the load is too busy to respond in time. The
// reply to every message contains pairs of a payment and the number of its events.
import { createServer } from 'node:http';

const events = new Map();

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { paymentId } = JSON.parse(Buffer.concat(chunks).toString());
    const ids = events.get(paymentId) ?? new Set();
    events.set(paymentId, ids.add(request.headers['x-webhook-id']));
    response.end();
  } catch {
    // The sender was killed or timed out. It will retry.
    response.destroy();
  }
});
server.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}/` });
});
process.on('message', () =>
  process.send({ events: [...events].map(([id, ids]) => [id, ids.size]) }),
);
