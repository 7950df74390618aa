import { StatusMap as isStatusMap, type StatusMap } from '#validators/status-map';
import { type PointedFault, readCheckedJson } from '../../json/checked-file.js';
import { pointer } from '../../json/pointers.js';
import { knownMeaning } from './payment-rules.js';

interface Source {
  /** The file's name, for messages. */
  readonly file: string;
  readonly text: string;
  /** QR statuses that count as failed by another setting. */
  readonly qrFailed: readonly string[];
}

/**
 * Returns the statuses that the file named by `MSGSITE_STATUS_MAP` adds to the known ones. Throws one `configuration`
 * error that names the variable and lists every fault with file, line, column and rule.
 */
export function parseStatusMap({ file, text, qrFailed }: Source): StatusMap {
  return readCheckedJson({
    file,
    text,
    what: 'MSGSITE_STATUS_MAP: the statuses',
    hint: 'Correct these lines, or unset MSGSITE_STATUS_MAP. docs/payments/gateway.md describes the file.',
    isSound: isStatusMap,
    furtherFaults: (map) => [...redefined(map), ...contradicting(map, qrFailed)],
  });
}

/** What the contract calls paid or failed is so, whatever a file says; saying the same is harmless. */
function redefined(map: StatusMap): PointedFault[] {
  return (['qr', 'invoice'] as const).flatMap((type) =>
    Object.entries(map[type] ?? {}).flatMap(([status, meaning]) => {
      const known = knownMeaning(type, status);
      if (known === undefined || known === meaning) return [];
      const path = pointer(type, status);
      const message = `${path} means ${known} and cannot be redefined (known-status)`;
      return [{ path, message, atKey: true }];
    }),
  );
}

function contradicting({ qr = {} }: StatusMap, qrFailed: readonly string[]): PointedFault[] {
  return Object.entries(qr).flatMap(([status, meaning]) => {
    if (meaning === 'failed' || !qrFailed.includes(status)) return [];
    const path = pointer('qr', status);
    const message = `${path} means failed in MSGSITE_QR_FAILED_STATUSES and ${meaning} here (contradiction)`;
    return [{ path, message, atKey: true }];
  });
}
