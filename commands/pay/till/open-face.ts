import { maskPhone } from '../../../src/payments/phone.js';
import { colorDepth, hasDarkBackground } from '../../../src/terminal/capabilities.js';
import { openPlainScreen } from '../../../src/terminal/till/plain-screen.js';
import type { TillFace, TillFaceOptions } from '../../../src/terminal/till/till-face.js';
import { nextCommand } from '../../next-command.js';
import type { PayContext } from '../pay-context.js';
import { followZone } from './follow-zone.js';

/** The till on the whole terminal, or in lines: with `--plain`, and where the terminal cannot be painted on. */
export async function openFace(
  { context, gateway, input }: PayContext,
  hearing: Pick<TillFaceOptions, 'onEvent' | 'onGone'>,
): Promise<TillFace> {
  const { stdin, stdout: terminal, output, env } = context;
  const colors = output.screenColors.stdout;
  const depth = colorDepth(env, colors.bold('') !== '');
  const darkBackground = hasDarkBackground(env);
  const zone = followZone(gateway, context.clock);
  const options: TillFaceOptions = {
    ...hearing,
    stdin,
    terminal,
    style: () => ({ colors, depth, darkBackground, zone: zone() }),
    about: ({ phone }) => ({
      cashier: phone === '' ? '' : maskPhone(phone),
      at: gateway.origin ?? 'here',
      doubtsCommand: nextCommand(input, 'pay payments', ['--state', 'in_doubt']),
    }),
  };
  if (output.plain) {
    return openPlainScreen(options);
  }
  const { openFullScreen } = await import('../../../src/terminal/painted.js');
  return openFullScreen(options);
}
