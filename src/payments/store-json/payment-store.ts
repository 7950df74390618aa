import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import type { AppError } from '../../base/errors.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { readOwner } from '../../storage/json/ownership.js';
import { livenessOf } from '../../storage/json/process-identity.js';
import { createSpool } from '../../storage/json/spool.js';
import { createClaims, type Lease } from '../../storage/json/spool-claims.js';
import { type Payment, type PaymentState, paymentKey } from '../payment.js';
import type { PaymentLease, PaymentStore } from '../payment-store.js';

export interface JsonPaymentStoreOptions {
  /** `<data>/payments` */
  readonly folder: string;
  readonly clock: Clock;
  /** Told of a record whose file is damaged; it is passed over. */
  onDamaged(error: AppError): void;
  /** Nothing is made or tidied. */
  readonly readOnly?: boolean;
}

/** Claims are renewed well within this; a process that is killed loses them at once anyway. */
const leaseMs = 20_000;
const claimSuffix = '.claim';
/** The claim of the one who watches all. No payment key is without a dash. */
const allClaim = 'all';

/** Payments as one file each in `open/`, `ended/<day>/` and `unknown/`. */
export async function openJsonPaymentStore(
  options: JsonPaymentStoreOptions,
): Promise<PaymentStore> {
  const { folder, clock, onDamaged, readOnly } = options;
  const watchers = join(folder, 'watchers');
  const spool = await createSpool<Payment, PaymentState>({
    folder,
    states: { open: 'flat', ended: 'by-day-and-id', unknown: 'flat' },
    clock,
    readOnly,
  });
  const claims = createClaims(systemFiles, watchers, clock);
  if (!readOnly) {
    await ensureFolder(systemFiles, watchers);
    await claims.sweep();
  }

  /** The state is where the file lies; a crash may have left an older word in the record. */
  const asPayment = ({ state, record }: { state: PaymentState; record: Payment }): Payment => ({
    ...record,
    state,
  });

  async function isHeld(claim: string): Promise<boolean> {
    const owner = await readOwner(systemFiles, join(watchers, `${claim}${claimSuffix}`));
    if (!owner) return false;
    if (owner.expires !== null && owner.expires <= clock.now()) return false;
    return (await livenessOf(owner.process)) !== 'dead';
  }

  /** Keys of payments that somebody acts on alone. */
  async function heldKeys(): Promise<string[]> {
    const names = await systemFiles.readdir(watchers);
    const keys = names
      .filter((name) => name.endsWith(claimSuffix))
      .map((name) => name.slice(0, -claimSuffix.length))
      .filter((key) => key !== allClaim);
    const held = await Promise.all(keys.map(isHeld));
    return keys.filter((_, index) => held[index]);
  }

  /** A process that died while it ended a payment leaves the old file in `open/`: claiming removes it. */
  async function tidy(key: string): Promise<void> {
    const claim = await spool.claim(key, 'tidy', leaseMs);
    await claim?.release();
  }

  async function read(key: string): Promise<Payment | undefined> {
    const entry = await spool.read(key);
    return entry && asPayment(entry);
  }

  return {
    async add(payment) {
      return asPayment(await spool.create(paymentKey(payment), 'open', payment));
    },
    async find(id, type) {
      const types: Payment['type'][] = type ? [type] : ['qr', 'invoice'];
      const found = await Promise.all(types.map((each) => read(paymentKey({ type: each, id }))));
      return found
        .filter((payment) => payment !== undefined)
        .sort((a, b) => b.createdAt - a.createdAt)[0];
    },
    async *list(state) {
      for await (const entry of spool.list(state, { onDamaged })) yield asPayment(entry);
    },
    async hasOpenWith(sessionId) {
      for await (const { record } of spool.list('open', { onDamaged })) {
        if (record.sessionId === sessionId) return true;
      }
      return false;
    },
    async update(payment) {
      const key = paymentKey(payment);
      // What comes too late changes nothing.
      if ((await spool.read(key))?.state === 'open') await spool.update(key, payment);
    },
    async end(payment) {
      const day = new Date(payment.endedAt ?? clock.now()).toISOString().slice(0, 10);
      const target = payment.state === 'ended' ? { day } : {};
      await spool.move(paymentKey(payment), payment.state, { record: payment, ...target });
    },
    removeEndedBefore: (day, choose) => spool.removeBefore('ended', day, choose),
    async takeOpen(isKnown, drop) {
      const held = new Set(await heldKeys());
      for (const key of held) drop(key);
      const keys = await spool.ids('open');
      const fresh = keys.filter((key) => !isKnown(key) && !held.has(key));
      const payments: Payment[] = [];
      for (let start = 0; start < fresh.length; start += batch) {
        const found = fresh.slice(start, start + batch).map((key) =>
          read(key).catch((error: AppError) => {
            if (error.code !== 'data_damaged') throw error;
            onDamaged(error);
            return undefined;
          }),
        );
        for (const payment of await Promise.all(found)) {
          if (payment?.state === 'open') payments.push(payment);
          else if (payment) await tidy(paymentKey(payment));
        }
      }
      return payments;
    },
    async claimAll(label) {
      const lease = await claims.take(allClaim, label, leaseMs);
      return lease && leaseOf(lease);
    },
    async claimOne(key, label) {
      const lease = await claims.take(key, label, leaseMs);
      if (!lease) return undefined;
      // Each side sets its own mark first and looks for the other's second: never do both act.
      if (!(await isHeld(allClaim))) {
        return leaseOf(lease, async () => !(await isHeld(allClaim)));
      }
      await lease.release();
      return undefined;
    },
  };
}

/** How many records are read at once when a watcher starts. */
const batch = 64;

function leaseOf(lease: Lease, alone: () => Promise<boolean> = async () => true): PaymentLease {
  return {
    renew: async () => (await alone()) && lease.renew(leaseMs),
    release: () => lease.release(),
  };
}
