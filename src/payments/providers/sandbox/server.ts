import { setMaxListeners } from 'node:events';
import Koa, { type Context } from 'koa';
import * as validators from '#validators/provider-protocol';
import { Evict, Faults, Force } from '#validators/provider-protocol';
import type { Clock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import { silentLog } from '../../../base/log.js';
import { toAppError } from '../../../http/answer/envelope.js';
import { type Listener, openListener } from '../../../http/listener/listener.js';
import { readBody } from '../../../http/request/body.js';
import { hostGuard } from '../../../http/request/host-guard.js';
import type { Validator } from '../../../http/route/route.js';
import { stringifyExact } from '../../../json/exact-json.js';
import { isObject } from '../../../json/pointers.js';
import { failureBody, failureStatus, protocolHeaders, protocolRoot } from '../protocol.js';
import {
  operationNames,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderOperation,
  providerOperations,
} from '../provider.js';
import { Disturbed } from './faulty-provider.js';
import { operationNumber } from './operation.js';
import type { Sandbox } from './sandbox.js';

export interface SandboxServerOptions {
  readonly sandbox: Sandbox;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly clock: Clock;
}

/** Serves a sandbox over the provider protocol, together with control endpoints for tests. */
export async function openSandboxServer(options: SandboxServerOptions): Promise<Listener> {
  const { sandbox, host, port, clock } = options;
  const definitions = { ...validators };
  const stopping = new AbortController();
  // Every delayed call adds a listener.
  setMaxListeners(0, stopping.signal);
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    await next().catch((error: unknown) => answerFailure(ctx, error));
  });
  app.use(hostGuard(host, []));
  app.use(async (ctx) => {
    const path = ctx.path.slice(1);
    if (!path.startsWith(`${protocolRoot}/`)) {
      await answerControl(ctx, sandbox.control);
      return;
    }
    const name = byPath.get(path.slice(protocolRoot.length + 1));
    if (!name || ctx.method !== 'POST') {
      throw new AppError('not_found', `Unknown operation ${ctx.method} ${ctx.path}.`);
    }
    await answerOperation(ctx, name);
  });

  async function answerOperation(ctx: Context, name: ProviderOperation): Promise<void> {
    const body = await readBody(ctx, lenient(name, definitions[definitionName(name)]));
    const ending = new AbortController();
    const end = () => ending.abort();
    ctx.res.once('close', end);
    stopping.signal.addEventListener('abort', end, { once: true });
    const answer = await perform(sandbox, name, body, ctx, ending.signal).finally(() =>
      stopping.signal.removeEventListener('abort', end),
    );
    ctx.type = 'json';
    ctx.body = stringifyExact(answer);
  }

  const listener = await openListener({
    app,
    host,
    port,
    errorShape: 'gateway',
    clock,
    log: silentLog(),
    https: false,
  });
  return {
    ...listener,
    async close() {
      stopping.abort();
      await listener.close();
    },
  };
}

const byPath = new Map(operationNames.map((name) => [providerOperations[name].path, name]));

/** Returns the name of an operation's schema: `CreateQr` for `createQr`. */
function definitionName<Name extends ProviderOperation>(name: Name): Capitalize<Name> {
  return (name.charAt(0).toUpperCase() + name.slice(1)) as Capitalize<Name>;
}

function perform(
  { provider }: Sandbox,
  name: ProviderOperation,
  body: unknown,
  ctx: Context,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const header = (header: string) => ctx.get(header);
  const key = header(protocolHeaders.idempotencyKey);
  const call: ProviderCall = { signal, ...(key ? { idempotencyKey: key } : {}) };
  const session = {
    tokenSN: header(protocolHeaders.tokenSN),
    secret: header(protocolHeaders.secret),
  };
  const input = providerOperations[name].session ? { ...(body as object), session } : body;
  // The body has been validated with this operation's schema.
  const method = provider[name] as (input: unknown, call: ProviderCall) => Promise<ProviderAnswer>;
  return method(input, call);
}

function answerFailure(ctx: Context, thrown: unknown): void {
  if (thrown instanceof Disturbed) {
    answerDisturbed(ctx, thrown);
    return;
  }
  if (thrown instanceof ProviderError) {
    ctx.status = failureStatus[thrown.kind];
    ctx.body = failureBody(thrown);
    return;
  }
  const { status, code, message, details } = toAppError(thrown);
  ctx.status = status;
  ctx.body = { error: message, code, ...(details ? { details } : {}) };
}

/** Responds as a proxy would, or not at all. */
function answerDisturbed(ctx: Context, { disturbance, message }: Disturbed): void {
  if (disturbance === 'cut') {
    drop(ctx);
    return;
  }
  if (disturbance === 'html') {
    ctx.status = 200;
    ctx.type = 'html';
    ctx.body = '<!doctype html><title>Bank</title><h1>We will be right back</h1>';
    return;
  }
  ctx.status = disturbance === 'absent' ? 404 : 500;
  ctx.body = { error: disturbance === 'absent' ? message : 'Internal error' };
}

function drop(ctx: Context): void {
  ctx.respond = false;
  ctx.req.socket.destroy();
}

/**
 * Serves the control endpoints for tests:
 *
 * - `GET /control/operations`, `POST /control/operations/<id>/force` `{"status"}`
 * - `POST /control/sessions/evict` `{"phoneNumber"}`
 * - `GET`, `PUT` `{"faults"}` and `DELETE /control/faults`
 */
async function answerControl(ctx: Context, control: Sandbox['control']): Promise<void> {
  // The body has been validated.
  const body = async <T>(validator: (data: unknown) => data is T) =>
    (await readBody(ctx, validator)) as T;
  const forced = /^\/control\/operations\/(\d{1,15})\/force$/.exec(ctx.path);
  const endpoint = `${ctx.method} ${forced ? '/control/operations/:id/force' : ctx.path}`;
  switch (endpoint) {
    case 'GET /control/operations':
      ctx.body = { operations: await control.list() };
      return;
    case 'POST /control/operations/:id/force': {
      const { status } = await body(Force);
      const found = await control.force(Number(forced?.[1]), status);
      if (!found) throw new AppError('not_found', 'Unknown operation.');
      ctx.body = { forced: status };
      return;
    }
    case 'POST /control/sessions/evict': {
      const { phoneNumber } = await body(Evict);
      await control.evict(phoneNumber);
      ctx.body = { evicted: phoneNumber };
      return;
    }
    case 'PUT /control/faults':
      control.faults.set((await body(Faults)).faults ?? []);
      break;
    case 'DELETE /control/faults':
      control.faults.set([]);
      break;
    case 'GET /control/faults':
      break;
    default:
      throw new AppError('not_found', `Unknown endpoint ${ctx.method} ${ctx.path}.`);
  }
  ctx.body = { faults: control.faults.list() };
}

const asNumber = (value: unknown) =>
  typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
const asText = (value: unknown) =>
  Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : value;
/** Also accepts the IDs beyond 2^53 that the sandbox may have issued. */
const asId = (value: unknown) =>
  typeof value === 'bigint' || typeof value === 'string' ? operationNumber(value) : value;

/** The conversions of request properties, by name. */
const forms: Readonly<Record<string, (value: unknown) => unknown>> = {
  profileId: asNumber,
  amount: asNumber,
  latitude: asNumber,
  longitude: asNumber,
  returnAmount: asNumber,
  operationMethod: asNumber,
  statementPeriodCode: asNumber,
  id: asId,
  qrOperationId: asId,
  operationId: asText,
  phoneNumber: asText,
  otp: asText,
  processId: asText,
};

/**
 * Returns a validator that first converts numeric text to numbers, and numbers to text. Many banks accept both. The
 * body is changed in place.
 */
function lenient(name: ProviderOperation, validator: Validator): Validator {
  const accept = (body: unknown) => {
    if (isObject(body)) normalise(name, body);
    const isValid = validator(body);
    Object.assign(accepting, { errors: validator.errors });
    return isValid;
  };
  const accepting = Object.assign(accept, validator);
  return accepting as Validator; // It narrows a body to the same type as the validator.
}

function normalise(name: ProviderOperation, body: Record<string, unknown>): void {
  for (const [property, form] of Object.entries(forms)) {
    if (!Object.hasOwn(body, property)) continue;
    const isPath = name === 'qrStatus' && property === 'qrOperationId';
    body[property] = (isPath ? asText : form)(body[property]);
  }
}
