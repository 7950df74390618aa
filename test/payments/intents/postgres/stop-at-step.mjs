// Loaded into a process at startup with `--import`. Stops the process once with SIGSTOP at the step in STOP_AT: before
// or after the step (`ask before`), or when the database has responded (`intent answered`). A step is recognized by the
// data that the process writes to a file, the database, the bank or its client.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const steps = {
  key: { socket: /insert into msgsite\.payment_answers/ },
  intent: { file: /"begun":/, socket: /insert into msgsite\.pending_acts/ },
  ask: { socket: /^POST \S*\/create / },
  answer: { file: /"intentId":/, socket: /insert into msgsite\.(payments|refunds) / },
  end: { file: /"ends":/, socket: /with ended as \(/ },
  client: { stdout: /"(paymentId|StatusCode)":/, socket: /^HTTP\/1\.1 / },
};
const [name, when] = process.env.STOP_AT.split(' ');
const step = steps[name];
let isOver = false;

function stop() {
  if (isOver) return;
  isOver = true;
  process.kill(process.pid, 'SIGSTOP');
}

const isStep = (way, bytes) => !isOver && step[way]?.test(Buffer.from(bytes).toString('latin1'));

const { open } = promises;
promises.open = async (...args) => {
  const file = await open(...args);
  const write = file.write.bind(file);
  file.write = async (bytes, ...rest) => {
    const isHere = isStep('file', bytes);
    if (isHere && when === 'before') stop();
    const written = await write(bytes, ...rest);
    if (isHere) stop();
    return written;
  };
  return file;
};

const { writeSync } = fs;
fs.writeSync = (number, bytes, ...rest) => {
  if (number === 1 && isStep('stdout', bytes)) stop();
  return writeSync(number, bytes, ...rest);
};
syncBuiltinESMExports();

/** Connections that prepare the statement, that send its values next, and that receive its result next. */
let preparing;
let waiting;
const { write, emit } = Socket.prototype;
Socket.prototype.write = function (bytes, ...rest) {
  const isHere = isStep(this.fd === 1 ? 'stdout' : 'socket', bytes);
  const isCarriedOut = this === preparing;
  if (isHere && when === 'before') stop();
  const isSent = write.call(this, bytes, ...rest);
  const isRequest = isHere && name === 'ask';
  // The request is sent at the end of the current event loop turn.
  if (isRequest) setImmediate(stop);
  if (isHere && !isRequest) preparing = this;
  else if (isCarriedOut) preparing = undefined;
  if (isCarriedOut && when === 'after') stop();
  if (isCarriedOut) waiting = this;
  return isSent;
};
Socket.prototype.emit = function (event, ...rest) {
  if (event === 'data' && this === waiting) stop();
  return emit.call(this, event, ...rest);
};
