import type { Clock } from '../clock.js';
import { openShortLived } from '../storage/json/short-lived.js';
import {
  codesPerSignIn,
  mostSignIns,
  type PendingSignIn,
  type SignInStore,
  signInLife,
} from './sign-in-store.js';

/** Sign-ins under way as one file each. */
export async function openJsonSignInStore(folder: string, clock: Clock): Promise<SignInStore> {
  const signIns = await openShortLived<PendingSignIn>({
    folder,
    clock,
    life: signInLife,
    most: mostSignIns,
  });

  function set(processId: string, fields: (signIn: PendingSignIn) => Partial<PendingSignIn>) {
    return signIns.change(processId, (signIn) => ({
      ...(signIn ? { record: { ...signIn, ...fields(signIn) } } : {}),
      result: undefined,
    }));
  }

  return {
    add: (processId) => signIns.add(processId, { wrongCodes: 0 }),
    find: (processId) => signIns.find(processId),
    setPhone: (processId, phone) => set(processId, () => ({ phone })),
    takeCode: (processId) =>
      signIns.change(processId, (signIn) => {
        if (!signIn || signIn.wrongCodes >= codesPerSignIn) return { result: false };
        return { record: { ...signIn, wrongCodes: signIn.wrongCodes + 1 }, result: true };
      }),
    giveCodeBack: (processId) =>
      set(processId, ({ wrongCodes }) => ({ wrongCodes: Math.max(0, wrongCodes - 1) })),
    remove: (processId) => signIns.remove(processId),
  };
}
