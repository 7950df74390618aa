// biome-ignore-all lint/style/noNonNullAssertion: every index lies in its table, in the inner loop of all reading.
/**
 * CRC-32C (Castagnoli; RFC 3720 appendix B.4, as ext4, iSCSI and LevelDB use it), which finds every
 * flipped bit and every damaged run of up to 32 bits in what a line holds.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  let at = start;
  // Eight bytes at a time, each by the table that knows how many bytes follow it ("slicing by 8").
  for (; at + 8 <= end; at += 8) {
    const first =
      crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      t7[first & 255]! ^
      t6[(first >>> 8) & 255]! ^
      t5[(first >>> 16) & 255]! ^
      t4[first >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < end; at += 1) crc = t0[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The polynomial 0x1EDC6F41 with its bits reversed. */
const polynomial = 0x82f63b78;

/** What each byte contributes: in the nth table, with n further bytes behind it. */
const [t0, t1, t2, t3, t4, t5, t6, t7] = makeTables();

type Table = Int32Array;

function makeTables(): [Table, Table, Table, Table, Table, Table, Table, Table] {
  const last = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    return crc;
  });
  const behind = (table: Table): Table => table.map((crc) => last[crc & 255]! ^ (crc >>> 8));
  const one = behind(last);
  const two = behind(one);
  const three = behind(two);
  const four = behind(three);
  const five = behind(four);
  const six = behind(five);
  return [last, one, two, three, four, five, six, behind(six)];
}
