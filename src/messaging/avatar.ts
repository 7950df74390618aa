import { createHash } from 'node:crypto';
import { entities } from '../base/html.js';

/** The kind of owner of an avatar. It is part of the avatar's URL. */
export type AvatarKind = 'user' | 'chat';

/** Returns the first letters of a name's first and last words: `Алия Нур` -> `АН`. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const letters = picked.map((word) => [...(word ?? '')][0] ?? '').join('');
  return letters === '' ? '-' : letters.toUpperCase().normalize('NFC');
}

/**
 * Returns the path of a default avatar. The path contains everything that the image shows. The route therefore reads no
 * data and cannot reveal a user's name, and its response can be cached forever.
 */
export function avatarPath(kind: AvatarKind, id: number, name: string): string {
  return `/avatars/${kind}/${id}/${encodeURIComponent(initialsOf(name))}.svg`;
}

/** Returns the initials in a requested file name, or undefined if it is not the name of an avatar. */
export function readInitials(fileName: string): string | undefined {
  const text = /^(.+)\.svg$/u.exec(fileName)?.[1];
  return text !== undefined && /^(?:-|[\p{L}\p{N}\p{M}]{1,6})$/u.test(text) ? text : undefined;
}

/**
 * Returns an SVG image that shows initials. The kind and the ID determine its colours. It contains no styles or
 * scripts.
 */
export function drawAvatar(kind: AvatarKind, id: number, initials: string): string {
  const hue = createHash('sha256').update(`${kind} ${id}`).digest().readUInt16BE(0) % 360;
  const shape =
    kind === 'user'
      ? '<circle cx="48" cy="48" r="48" fill="url(#g)"/>'
      : '<rect width="96" height="96" rx="24" fill="url(#g)"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="${escapeXml(initials)}">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${hue},58%,46%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360},62%,32%)"/></linearGradient></defs>
${shape}
<text x="48" y="48" dy="0.35em" text-anchor="middle" font-family="system-ui,sans-serif" font-size="${initials.length > 2 ? 26 : 38}" font-weight="600" fill="#fff">${escapeXml(initials)}</text>
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? '');
}
