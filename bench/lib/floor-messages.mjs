// Baseline: plain Koa with a body parser. It responds with the bytes of a stored message, without storing one, and with
// a prepared page of 100 messages.
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { text } from './api.mjs';

const answer = (text) => ({
  ok: true,
  message: {
    id: 123456,
    chatId: 1,
    senderId: 1,
    senderName: 'Sender number 1',
    senderAvatar: 'http://127.0.0.1:3000/avatars/users/1.svg',
    text,
    type: 'text',
    encrypted: {
      iv: '0'.repeat(32),
      encrypted: '0'.repeat(text.length * 2),
      authTag: '0'.repeat(32),
    },
    createdAt: '2026-01-31T09:00:00.000Z',
  },
});
const { message } = answer(text);
const page = JSON.stringify({ ok: true, messages: Array(100).fill(message), hasMore: true });
const app = new Koa();
app.use(bodyParser());
app.use((ctx) => {
  if (ctx.method === 'POST') {
    ctx.status = 201;
    ctx.body = answer(ctx.request.body.text);
  } else if (ctx.query.limit) {
    ctx.type = 'json';
    ctx.body = page;
  } else {
    ctx.body = { ok: true, messages: [], hasMore: false };
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
