// biome-ignore-all lint/style/noNonNullAssertion: all indexes are within the table; checks would be slow.
/**
 * Returns the CRC-32C (Castagnoli; RFC 3720 appendix B.4, as used by ext4, iSCSI and LevelDB) of a range of bytes. It
 * detects every flipped bit and every burst of errors of up to 32 bits in a line.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  // Reading four bytes together takes half as many instructions as reading them one by one.
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = -1;
  let at = start;
  // "Slicing by 8": eight bytes at a time, each with the table for the number of bytes after it.
  for (; at + 8 <= end; at += 8) {
    const first = crc ^ words.getInt32(at, true);
    const second = words.getInt32(at + 4, true);
    crc =
      table[behind7 | (first & 255)]! ^
      table[behind6 | ((first >>> 8) & 255)]! ^
      table[behind5 | ((first >>> 16) & 255)]! ^
      table[behind4 | (first >>> 24)]! ^
      table[behind3 | (second & 255)]! ^
      table[behind2 | ((second >>> 8) & 255)]! ^
      table[behind1 | ((second >>> 16) & 255)]! ^
      table[second >>> 24]!;
  }
  for (; at < end; at += 1) crc = table[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The polynomial 0x1EDC6F41 with its bits reversed. */
const polynomial = 0x82f63b78;

/** Offsets of the table's parts for a byte that is followed by 1 to 7 other bytes. */
const [behind1, behind2, behind3, behind4, behind5, behind6, behind7] = [
  256, 512, 768, 1024, 1280, 1536, 1792,
] as const;

/** The contribution of each byte. A single table is faster than eight. */
const table = makeTable();

function makeTable(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    made[byte] = crc;
  }
  for (let index = 256; index < made.length; index += 1) {
    const before = made[index - 256]!;
    made[index] = made[before & 255]! ^ (before >>> 8);
  }
  return made;
}
