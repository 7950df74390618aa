import type { Context } from 'koa';
import { Evict, Faults as FaultChanges, Force } from '#validators/provider-protocol';
import { AppError } from '../../../base/errors.js';
import { readBody } from '../../../http/request/body.js';
import { type Faults, noFaults } from './faults.js';
import type { SandboxControl } from './sandbox.js';

/**
 * Answers what tests ask of a sandbox server beside payments, and gives the faults in force from
 * then on:
 *
 * - `GET /control/operations`, `POST /control/operations/<id>/force` `{"status"}`
 * - `POST /control/sessions/evict` `{"phoneNumber"}`
 * - `GET`, `PUT` (any of the fields of Faults; the others are reset) and `DELETE /control/faults`; the
 *   sandbox itself keeps those of its `faults`
 */
export async function answerControl(
  ctx: Context,
  control: SandboxControl,
  faults: Faults,
): Promise<Faults> {
  // What has been read is what the validator lets through.
  const body = async <T>(validator: (data: unknown) => data is T) =>
    (await readBody(ctx, validator)) as T;
  const forced = /^\/control\/operations\/(\d{1,15})\/force$/.exec(ctx.path);
  const endpoint = `${ctx.method} ${forced ? '/control/operations/:id/force' : ctx.path}`;
  switch (endpoint) {
    case 'GET /control/operations':
      ctx.body = { operations: await control.list() };
      return faults;
    case 'POST /control/operations/:id/force': {
      const { status } = await body(Force);
      const found = await control.force(Number(forced?.[1]), status);
      if (!found) throw new AppError('not_found', 'There is no such operation.');
      ctx.body = { forced: status };
      return faults;
    }
    case 'POST /control/sessions/evict': {
      const { phoneNumber } = await body(Evict);
      await control.evict(phoneNumber);
      ctx.body = { evicted: phoneNumber };
      return faults;
    }
    case 'PUT /control/faults': {
      const { faults: texts = [], ...counted } = await body(FaultChanges);
      await control.setFaults(texts);
      const wanted = { ...noFaults, ...counted };
      ctx.body = { ...wanted, faults: await control.faults() };
      return wanted;
    }
    case 'GET /control/faults':
      ctx.body = { ...faults, faults: await control.faults() };
      return faults;
    case 'DELETE /control/faults':
      await control.setFaults([]);
      ctx.body = { ...noFaults, faults: [] };
      return noFaults;
    default:
      throw new AppError('not_found', `There is nothing at ${ctx.method} ${ctx.path}.`);
  }
}
