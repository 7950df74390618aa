import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceDirections, isolateDirection } from '../../src/base/text-direction.js';

const named: Readonly<Record<string, string>> = {
  LRE: '\u202a',
  RLE: '\u202b',
  PDF: '\u202c',
  LRO: '\u202d',
  RLO: '\u202e',
  LRI: '\u2066',
  RLI: '\u2067',
  FSI: '\u2068',
  PDI: '\u2069',
};
const read = (text: string): string => text.replace(/[A-Z]{3}/g, (name) => named[name] ?? name);

describe('balancing text directions', () => {
  it.each([
    ['plain', 'plain'],
    ['RLOadmin', 'RLOadminPDF'],
    ['PDIPDFadmin', 'admin'],
    ['PDIRLOadmin', 'RLOadminPDF'],
    ['RLIRLOaPDIb', 'RLIRLOaPDIb'],
    ['RLOLRIaPDFb', 'RLOLRIabPDIPDF'],
    ['LREaPDFbPDFc', 'LREaPDFbc'],
    ['RLOa\nPDFb', 'RLOaPDF\nb'],
  ])('changes %s to %s', (text, balanced) => {
    expect(balanceDirections(read(text))).toBe(read(balanced));
  });

  it('closes all embeddings in any text, and changes nothing when repeated', () => {
    const unit = fc.constantFrom(...Object.values(named), 'a', 'ש', '\n');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const balanced = balanceDirections(text);
        const depths: string[] = [];
        for (const sign of balanced) {
          if (/[\u202a\u202b\u202d\u202e]/.test(sign)) depths.push('embedding');
          if (/[\u2066-\u2068]/.test(sign)) depths.push('isolate');
          if (sign === named.PDF) expect(depths.pop()).toBe('embedding');
          if (sign === named.PDI) {
            expect(depths).toContain('isolate');
            while (depths.pop() !== 'isolate');
          }
          if (sign === '\n') expect(depths).toEqual([]);
        }
        expect(depths).toEqual([]);
        expect(balanceDirections(balanced)).toBe(balanced);
        expect(balanced.replace(/[\u202a-\u2069]/g, '')).toBe(text.replace(/[\u202a-\u2069]/g, ''));
      }),
    );
  });
});

describe('isolating a text', () => {
  it.each(['Approved', 'Жұлдыз, 33 900', ''])('does not change %j', (text) => {
    expect(isolateDirection(text)).toBe(text);
  });

  it.each([
    ['RLOAdmin', 'FSIRLOAdminPDFPDI'],
    ['שלום!', 'FSIשלום!PDI'],
    ['PDIx', 'FSIxPDI'],
  ])('encloses %s', (text, isolated) => {
    expect(isolateDirection(read(text))).toBe(read(isolated));
  });
});
