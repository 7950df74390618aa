import type { Clock } from '../../base/clock.js';
import { openShortLived } from '../../storage/json/records/short-lived.js';
import { codesPerSignIn, mostSignIns, type SignInStore, signInLife } from '../store.js';
import { signInPlan } from './plans.js';

/** Sign-ins under way as one file each. */
export async function openJsonSignInStore(
  folder: string,
  clock: Clock,
): Promise<SignInStore & { close(): Promise<void> }> {
  const signIns = await openShortLived({
    folder,
    plan: signInPlan,
    clock,
    life: signInLife,
    most: mostSignIns,
  });

  return {
    find: (processId) => signIns.find(processId),
    async setPhone(processId, phone) {
      const isKnown = await signIns.change(processId, (signIn) =>
        signIn ? { record: { ...signIn, phone }, result: true } : { result: false },
      );
      if (!isKnown) await signIns.add(processId, { phone, wrongCodes: 0 });
    },
    takeCode: (processId) =>
      signIns.change(processId, (signIn) => {
        if (!signIn || signIn.wrongCodes >= codesPerSignIn) return { result: false };
        return { record: { ...signIn, wrongCodes: signIn.wrongCodes + 1 }, result: true };
      }),
    giveCodeBack: (processId) =>
      signIns.change(processId, (signIn) => {
        if (!signIn) return { result: undefined };
        const wrongCodes = Math.max(0, signIn.wrongCodes - 1);
        return { record: { ...signIn, wrongCodes }, result: undefined };
      }),
    remove: (processId) => signIns.remove(processId),
    close: signIns.close,
  };
}
