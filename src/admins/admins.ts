import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Admins as Stored } from '#validators/state-records';
import { type Actor, type AuditLog, operator } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { StateStore } from '../base/state.js';
import { foldText } from '../words/fold-text.js';

/** Maximum number of admin users in a deployment. */
const maxAdmins = 100;

/** Maximum length of an admin user's name, in characters. */
const maxAdminNameLength = 64;

export type Role = Stored['users'][number]['role'];

/** The roles, ordered from most rights to fewest. */
export const roles = ['owner', 'editor', 'orders'] as const satisfies readonly Role[];

/** A person who works on the site. The token is not included. */
export interface AdminUser {
  readonly name: string;
  readonly role: Role;
  /** ISO 8601. */
  readonly addedAt: string;
}

/** An admin user and their token, which is returned once and not stored. */
export interface NewAdmin extends AdminUser {
  readonly token: string;
}

/** The result of a token lookup. */
export interface Identity {
  /** The token's user. Undefined if the token is missing or wrong. */
  readonly user: Pick<AdminUser, 'name' | 'role'> | undefined;
  /** True if `MSGSITE_ADMIN_TOKEN` is not set and no admin user has been added since the page was last opened. */
  readonly isOpen: boolean;
}

export interface AdminsOptions {
  readonly state: StateStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly audit: Pick<AuditLog, 'add'>;
  /** `MSGSITE_ADMIN_TOKEN`, which has the rights of an owner. */
  readonly token: string | undefined;
}

export type Admins = ReturnType<typeof createAdmins>;

/** The name in both logs for holders of `MSGSITE_ADMIN_TOKEN`, and for everyone while the admin page is open. */
export const tokenName = 'admin';

/** Names that have another meaning in the audit log. */
const reservedNames: readonly string[] = [tokenName, operator.name, 'gateway'];

/**
 * Manages the people who work on the site. They are stored as one record, which every process reads for each request,
 * so a revoked token stops working immediately in all processes. `who` is the person who makes the change.
 */
export function createAdmins({ state, clock, audit, token }: AdminsOptions) {
  const read = () => readStored(state);

  function note({ name: who }: Actor, ids: Readonly<Record<string, string>>): Promise<void> {
    const entry = { id: randomUUID(), time: clock.now(), kind: 'admin-user', who } as const;
    return audit.add({ ...entry, amount: null, ids, outcome: 'success' });
  }

  return {
    /** Returns the admin users in the order they were added. */
    list: () => listAdmins(state),
    /** Returns true if there is an owner, or if `MSGSITE_ADMIN_TOKEN` is set, which has an owner's rights. */
    async hasOwner(): Promise<boolean> {
      return token !== undefined || (await read()).users.some(({ role }) => role === 'owner');
    },
    /** Finds a token's user. */
    async identify(candidate: string | undefined): Promise<Identity> {
      const { users, closed } = await read();
      const isOpen = token === undefined && users.length === 0 && !closed;
      if (candidate === undefined) return { user: undefined, isOpen };
      const hash = hashOf(candidate);
      if (token !== undefined && isSame(hash, hashOf(token))) {
        return { user: { name: tokenName, role: 'owner' }, isOpen };
      }
      // All hashes are compared so that timing reveals nothing about the tokens.
      const found = users.filter((user) => isSame(hash, user.hash));
      return { user: found[0], isOpen };
    },
    /**
     * Adds a person and returns their token. Throws `validation_failed` for an invalid name, and `conflict` if the name
     * is taken or the maximum number of admin users is reached.
     */
    async add(who: Actor, user: Pick<AdminUser, 'name' | 'role'>): Promise<NewAdmin> {
      const name = usableName(user.name);
      const secret = `msa_${randomBytes(32).toString('base64url')}`;
      const added = { name, role: user.role, addedAt: clock.now(), hash: hashOf(secret) };
      await state.change('admins', (before = none) => {
        if (isReserved(name) || before.users.some((other) => isSameName(other.name, name))) {
          throw new AppError('conflict', `The name ${name} is taken.`, {
            hint: 'Choose another name, or revoke that admin user first.',
          });
        }
        if (before.users.length >= maxAdmins) {
          throw new AppError('conflict', `There are already ${maxAdmins} admin users.`, {
            hint: 'Revoke one first.',
          });
        }
        return { users: [...before.users, added], closed: true };
      });
      await note(who, { name, role: user.role, change: 'added' });
      return { ...viewOf(added), token: secret };
    },
    /**
     * Revokes a person's token. Throws `not_found` for an unknown name, and `conflict` for the last owner if
     * `MSGSITE_ADMIN_TOKEN` is not set.
     */
    async revoke(who: Actor, name: string): Promise<AdminUser> {
      let revoked: Stored['users'][number] | undefined;
      await state.change('admins', (before = none) => {
        revoked = before.users.find((user) => isSameName(user.name, name));
        if (!revoked) throw new AppError('not_found', `Unknown admin user ${name}.`);
        const users = before.users.filter((user) => user !== revoked);
        const isLastOwner = revoked.role === 'owner' && !users.some(({ role }) => role === 'owner');
        if (isLastOwner && token === undefined) {
          throw new AppError('conflict', `${revoked.name} is the last owner.`, {
            hint: 'Add another owner first, or set MSGSITE_ADMIN_TOKEN.',
          });
        }
        return { ...before, users };
      });
      if (!revoked) throw new Error('state.change resolved without calling its function');
      await note(who, { name: revoked.name, role: revoked.role, change: 'revoked' });
      return viewOf(revoked);
    },
    /**
     * Opens the admin page to everyone, as it was before the first admin user was added. Throws `conflict` while there
     * are admin users or `MSGSITE_ADMIN_TOKEN` is set.
     */
    async open(who: Actor): Promise<void> {
      if (token !== undefined) throw stillClosed('MSGSITE_ADMIN_TOKEN is set.', 'Unset it first.');
      await state.change('admins', (before = none) => {
        if (before.users.length > 0) {
          throw stillClosed('There are admin users.', 'Revoke all of them first.');
        }
        return { ...before, closed: false };
      });
      await note(who, { change: 'opened' });
    },
  };
}

/** Returns the admin users in the order they were added. */
export async function listAdmins(state: Pick<StateStore, 'find'>): Promise<readonly AdminUser[]> {
  return (await readStored(state)).users.map(viewOf);
}

async function readStored(state: Pick<StateStore, 'find'>): Promise<Stored> {
  return (await state.find('admins')) ?? none;
}

const none: Stored = { users: [], closed: false };

function stillClosed(reason: string, hint: string): AppError {
  return new AppError('conflict', `The admin page stays closed: ${reason}`, { hint });
}

function viewOf({ name, role, addedAt }: Stored['users'][number]): AdminUser {
  return { name, role, addedAt: new Date(addedAt).toISOString() };
}

/** Returns the trimmed name. Throws `validation_failed` if it is empty, too long or not printable. */
function usableName(text: string): string {
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  const isPrintable = !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  // URL parsers remove these path segments, so the API could not revoke users with these names.
  const isSegment = name !== '.' && name !== '..';
  if (length >= 1 && length <= maxAdminNameLength && isPrintable && isSegment) return name;
  throw new AppError(
    'validation_failed',
    `A name must have 1 to ${maxAdminNameLength} characters and no line breaks or other control characters.`,
  );
}

function isSameName(one: string, other: string): boolean {
  return foldText(one.trim()) === foldText(other.trim());
}

function isReserved(name: string): boolean {
  return reservedNames.some((each) => isSameName(each, name));
}

/** Returns the SHA-256 hash of a token, in hexadecimal. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
