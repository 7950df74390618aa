import type { MetricDefinition } from '#screen-definition';
import { once } from '../../base/single-flight.js';
import { pointer } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const managementMetric: Rule = {
  id: 'management-metric',
  severity: 'warning',
  summary: 'A management metric in an operational view',
  documentation:
    'ROI, FTE, hours saved and monetary effect show management whether a project pays off, but the owner of a work queue cannot act on them. In an operational view (the default), this rule reports them in the value, label, hint or note of a metric, in Russian, Kazakh or English. Show metrics that the person can act on instead, or set product.view to management.',
  examples: () => ({
    bad: { kpis: [{ value: '1 240', label: 'Сэкономлено часов' }] },
    finds: ['/kpis/0/label'],
    good: { kpis: [{ value: '12', label: 'Ждут решения', hint: 'из 48' }] },
  }),
  check({ definition, screen }, report) {
    if (screen.product.view !== 'operational') return;
    definition.kpis?.forEach((kpi, index) => {
      const found = findMetric(kpi);
      if (found === undefined) return;
      report(
        pointer('kpis', index, found.property),
        `${quote(found.text)} is a management metric (${found.kind}) in an operational view. Remove it, or set product.view to "management".`,
      );
    });
  },
};

const properties = ['label', 'value', 'hint', 'note'] as const;

interface Metric {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** Every management metric contains one of these stems. Most other texts contain none, so this check is fast. */
const stems =
  /ro[im]|рои|return|pay|окуп|возврат|рентаб|отдач|доходн|өтел|қайтар|fte|фте|full|head|эквив|штат|высвоб|толық|босат|sav|freed|releas|эконом|үнем|effect|impact|benefit|gain|cost|expense|npv|irr|выгод|эффект|финанс|денеж|монетарн|сниж|сокращ|әсер|тиімд|пайда|шығын/;

/**
 * Patterns for the names of management metrics. They are compiled on first use, because compiling takes longer than a
 * whole run that does not need them.
 */
const metrics = once((): readonly Metric[] => [
  {
    kind: 'return on investment',
    pattern: words(
      'roi|romi|рои|return on (?:the )?investments?|pay[- ]?back',
      'окупаемост@*|окупа(?:ет|ют|ем|ть)@*|окуп(?:ит|ят|ил)@*',
      '(?:возврат|рентабельност|отдач|доходност)@* (?:от |на )?(?:инвестици|вложени|вложенн)@*',
      'өтелімділі[кг]@*|қайтарымдылы[қғ]@*|қайтарым@* мерзім@*',
      '(?:инвестици|салым|қаржы|қаражат)@*(?: @+)? қайтарым@*',
    ),
  },
  {
    kind: 'FTE',
    pattern: words(
      "ftes?|fte's|фте|full[- ]time[- ]equivalents?|head-?count (?:saved|freed|released|reduction)",
      'эквивалент@* полн@+ (?:рабоч@+ )?(?:занятост|ставк|времен|дн)@*',
      'штатн@+ единиц@*|(?:высвобожд|высвобод)@* (?:\\S+ )?(?:ставк|ставок|сотрудник|персонал)@*',
      'толық (?:жұмыс )?(?:күн|уақыт|ставка|жұмыспен қамту)@*(?: @+)? (?:балама|эквивалент)@*',
      'штат(?:тық)? бірлі[кг]@*|босатылған (?:\\S+ )?(?:ставка|штат|қызметкер)@*',
    ),
  },
  {
    kind: 'hours saved',
    pattern: words(
      '(?:man-?|person-?)?(?:hours?|hrs?|h|minutes?|days?|time)(?: of @+| @+)? (?:saved|freed|released)',
      '(?:saved|freed(?: up)?|released|saves?|saving|savings(?: of| in)?) (?:\\S+ ){0,2}?(?:hours?|hrs|h|man-?hours?|person-?hours?|time)',
      'time[- ]savings?|hours?[- ]savings?',
      `${savedRu()}(?: \\S+){0,2} (?:час@*|ч|времен@*|время|минут@*|дн@+|человеко\\S*|труд@*)`,
      `(?:час@*|ч|времен@*|время|минут@*|дней|дня)(?: \\S+)? (?:${savedRu()}|высвобожд@*)`,
      `высвобожд@*(?: \\S+)? (?:час@*|времен@*|время)`,
      '(?:сағат|уақыт|минут|күн)@*(?: @+)? (?:үнем|үнемде@*)',
      '(?:үнем|үнемде@*|босатылған)(?: \\S+)? (?:сағат|уақыт|минут|адам-сағат)@*',
    ),
  },
  {
    kind: 'monetary effect',
    pattern: words(
      '(?:monetary|financial|economic|cash|money|ebitda|p&l) (?:effect|impact|benefit|gain)s?',
      '(?:cost|money|budget|expense)s?[- ](?:savings?|saved|avoidance|reductions?)|saved (?:money|costs?|budget)',
      '(?:total|net|annual|yearly|monthly) (?:savings?|benefits?)|npv|irr',
      '(?:экономическ|финансов|денежн|монетарн)@* (?:эффект|выгод|результат от)@*',
      'эффект@* (?:в деньгах|в тенге|в рублях|в ₸|в \\$|от (?:внедрени|автоматизац|робот)@*)',
      `${savedRu()}|(?:снижени|сокращени)@* (?:затрат|расходов|издержек|себестоимости)`,
      '(?:экономикалық|қаржылық|ақшалай) (?:әсер|тиімділі[кг]|пайда|нәтиже|үнем)@*',
      'үнем|үнемде(?:л|у|ді|н)@*|шығын@* (?:азай|қысқар|төменде|үнемде)@*',
    ),
  },
]);

/** Returns a pattern that matches `экономия` and `сэкономлено`, but not `экономика` or `экономист`. */
function savedRu(): string {
  return '(?:сэкономл@+|сэкономи(?:ть|л|ли|ло|т)|экономи(?:я|и|ю|ей|т|ть|ли|л))';
}

const money = '[€$£₸₽]|тенге|теңге|тг|руб@*|kzt|usd|eur|тыс|млн|млрд';

/** Labels of management metrics, if the same metric also has a sum or hours: "Saved" with "€ 12 000". */
const labelsWithSum = once((): readonly (Metric & { readonly sum: RegExp })[] => [
  {
    kind: 'monetary effect',
    pattern: /^(?:savings?|saved|effect|gain|эффект|выгода|әсер(?:і)?|тиімділік|пайда)$/,
    sum: new RegExp(money),
  },
  {
    kind: 'hours saved',
    pattern: /^(?:savings?|saved|freed|высвобождено)$/,
    sum: words('h|hrs?|hours?|ч|час@*|сағ(?:ат)?@*'),
  },
]);

interface Found {
  readonly property: (typeof properties)[number];
  readonly text: string;
  readonly kind: string;
}

function findMetric(kpi: MetricDefinition): Found | undefined {
  for (const property of properties) {
    const text = kpi[property];
    if (!text || !hasStem(text)) continue;
    const simple = simplify(text);
    const metric = metrics().find(({ pattern }) => pattern.test(simple));
    if (metric) return { property, text, kind: metric.kind };
  }
  if (!hasStem(kpi.label)) return undefined;
  const label = simplify(kpi.label);
  const rest = simplify(`${kpi.value} ${kpi.hint ?? ''}`);
  const metric = labelsWithSum().find(({ pattern, sum }) => pattern.test(label) && sum.test(rest));
  return metric && { property: 'label', text: kpi.label, kind: metric.kind };
}

function hasStem(text: string): boolean {
  return stems.test(text.toLowerCase());
}

function simplify(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * Returns a pattern that matches whole words in lowercase text, where `@` stands for a Latin or Cyrillic letter. `\b`
 * supports only Latin letters, and compiling `\p{L}` with the flags `iu` takes longer than the rest of a run.
 */
function words(...alternatives: string[]): RegExp {
  const letter = 'a-z\\u00df-\\u024f\\u0400-\\u052f';
  const source = alternatives.join('|').replaceAll('@', `[${letter}]`);
  return new RegExp(`(?<![${letter}0-9_])(?:${source})(?![${letter}0-9_])`);
}
