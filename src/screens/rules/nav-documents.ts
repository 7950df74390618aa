import { pointer } from '../../json/pointers.js';
import { removal, wordRemedies } from '../check/remedies.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

export const navDocuments: Rule = {
  id: 'nav-documents',
  severity: 'warning',
  summary: 'A section of documents has nothing to show',
  documentation:
    'A nav section with view documents gathers the files that rows carry in _docs; docType narrows them to one type. A type that no row uses, a docType without view documents, or files that no row has leave the section empty.',
  examples: () => {
    const screen = (docType: string) => ({
      nav: [{ label: 'Claims', view: 'documents', docType }],
      table: {
        columns: [{ key: 'id', label: 'Number' }],
        rows: [{ id: 'A-1', _docs: [{ label: 'Claim A-1', type: 'claim' }] }],
      },
    });
    return { bad: screen('claims'), finds: ['/nav/0/docType'], good: screen('claim') };
  },
  check({ data, definition, screen }, report) {
    const sections = (definition.nav ?? []).filter(({ view, docType }) => view ?? docType);
    if (sections.length === 0) return;
    const docs = (screen.table?.rows ?? []).flatMap((row) => row.docs);
    const types = new Set(docs.flatMap(({ type }) => (type === undefined ? [] : [type])));
    for (const [index, { view, docType }] of (definition.nav ?? []).entries()) {
      const path = pointer('nav', index);
      if (view !== 'documents') {
        if (docType === undefined) continue;
        report(`${path}/docType`, 'docType has no effect without view "documents".', () => ({
          suggestions: [removal(`${path}/docType`, 'docType')],
        }));
      } else if (docs.length === 0) {
        report(`${path}/view`, 'The section stays empty: no row has documents (_docs).');
      } else if (docType !== undefined && !types.has(docType)) {
        report(
          `${path}/docType`,
          () => `No document of a row has the type ${quote(docType)}.${didYouMean(docType, types)}`,
          () => wordRemedies(data, `${path}/docType`, docType, types),
        );
      }
    }
  },
};
