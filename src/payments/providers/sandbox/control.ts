import type { Context } from 'koa';
import { Evict, Faults, Force } from '#validators/provider-protocol';
import { AppError } from '../../../base/errors.js';
import { readBody } from '../../../http/request/body.js';
import type { SandboxControl } from './sandbox.js';

/**
 * Answers what tests ask of a sandbox server beside payments:
 *
 * - `GET /control/operations`, `POST /control/operations/<id>/force` `{"status"}`
 * - `POST /control/sessions/evict` `{"phoneNumber"}`
 * - `GET`, `PUT` `{"faults"}` and `DELETE /control/faults`
 */
export async function answerControl(ctx: Context, control: SandboxControl): Promise<void> {
  // What has been read is what the validator lets through.
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
      if (!found) throw new AppError('not_found', 'There is no such operation.');
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
      await control.setFaults((await body(Faults)).faults ?? []);
      break;
    case 'DELETE /control/faults':
      await control.setFaults([]);
      break;
    case 'GET /control/faults':
      break;
    default:
      throw new AppError('not_found', `There is nothing at ${ctx.method} ${ctx.path}.`);
  }
  ctx.body = { faults: await control.faults() };
}
