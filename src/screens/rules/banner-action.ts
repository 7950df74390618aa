import { plural } from '../check/findings.js';
import { removal } from '../check/remedies.js';
import type { Rule } from './rule.js';

function describe(sections: number): string {
  if (sections === 0) return 'there is no nav';
  return `nav has ${plural(sections, 'section')}, counted from 0 to ${sections - 1}`;
}

export const bannerAction: Rule = {
  id: 'banner-action',
  severity: 'warning',
  summary: "The banner's button leads nowhere",
  documentation:
    'banner.actionNav is the index of the nav section that the button opens: it counts from 0, over sections only, not over group headings. A button needs both its label (action) and a section that exists; otherwise the banner is plain text.',
  examples: () => {
    const screen = (actionNav: number) => ({
      nav: [{ label: 'Queue' }, { label: 'All' }],
      banner: { text: 'Two requests are late.', action: 'Open all', actionNav },
    });
    return { bad: screen(2), finds: ['/banner/actionNav'], good: screen(1) };
  },
  check({ degradations, definition, screen }, report) {
    const sections = definition.nav?.length ?? 0;
    for (const { path, detail } of degradations('index-out-of-range', '/banner')) {
      report(path, `actionNav is ${detail}, but ${describe(sections)}.`);
    }
    for (const { path } of degradations('action-without-target')) {
      report(path, 'The button leads nowhere: give the index of a nav section in actionNav.');
    }
    if (screen.banner?.target !== undefined && screen.banner.action === undefined) {
      report(
        '/banner/actionNav',
        'actionNav has no effect, because the banner has no label for a button (action).',
        () => ({ suggestions: [removal('/banner/actionNav', 'actionNav')] }),
      );
    }
  },
};
