import type { Context } from 'koa';
import type * as protocol from '#validators/provider-protocol';
import { AppError } from '../../../base/errors.js';
import { readBody } from '../../../http/body.js';
import type { BodyOf, Validator } from '../../../http/route.js';
import { type Faults, noFaults } from './faults.js';
import type { SandboxControl } from './sandbox.js';

export interface ControlOptions {
  readonly control: SandboxControl;
  readonly faults: Faults;
  readonly validators: Readonly<Record<string, unknown>>;
}

/**
 * Answers what tests ask of a sandbox server beside payments, and gives the faults in force from
 * then on:
 *
 * - `GET /control/operations`, `POST /control/operations/<id>/force` `{"status"}`
 * - `POST /control/sessions/evict` `{"phoneNumber"}`
 * - `GET`, `PUT` (any of the fields of Faults; the others are reset) and `DELETE /control/faults`
 */
export async function answerControl(ctx: Context, options: ControlOptions): Promise<Faults> {
  const { control, faults, validators } = options;
  const body = async <Name extends 'Force' | 'Evict' | 'Faults'>(name: Name) => {
    // The schema has let it through.
    return (await readBody(ctx, validators[name] as Validator)) as BodyOf<typeof protocol, Name>;
  };
  const forced = /^\/control\/operations\/(\d{1,15})\/force$/.exec(ctx.path);
  const place = `${ctx.method} ${forced ? '/control/operations/:id/force' : ctx.path}`;
  switch (place) {
    case 'GET /control/operations':
      ctx.body = { operations: await control.list() };
      return faults;
    case 'POST /control/operations/:id/force': {
      const { status } = await body('Force');
      const found = await control.force(Number(forced?.[1]), status);
      if (!found) throw new AppError('not_found', 'There is no such operation.');
      ctx.body = { forced: status };
      return faults;
    }
    case 'POST /control/sessions/evict': {
      const { phoneNumber } = await body('Evict');
      await control.evict(phoneNumber);
      ctx.body = { evicted: phoneNumber };
      return faults;
    }
    case 'PUT /control/faults': {
      const wanted = { ...noFaults, ...(await body('Faults')) };
      ctx.body = wanted;
      return wanted;
    }
    case 'GET /control/faults':
      ctx.body = faults;
      return faults;
    case 'DELETE /control/faults':
      ctx.body = noFaults;
      return noFaults;
    default:
      throw new AppError('not_found', `There is nothing at ${ctx.method} ${ctx.path}.`);
  }
}
