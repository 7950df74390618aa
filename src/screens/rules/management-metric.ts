import type { KpiDefinition } from '../definition.js';
import { quote } from '../printable.js';
import { pointer } from '../values.js';
import type { Rule } from './rule.js';

export const managementMetric: Rule = {
  id: 'management-metric',
  severity: 'warning',
  summary: 'A management metric in an operational view',
  documentation:
    'ROI, FTE, hours saved and monetary effect tell management whether a project paid off; the owner of a work queue cannot act on them. In a view that is operational (the default) they are reported wherever they stand in a metric: in value, label, hint or note, in Russian, Kazakh or English. Show what the person can act on instead, or set product.view to management.',
  examples: () => ({
    bad: { kpis: [{ value: '1 240', label: 'Сэкономлено часов' }] },
    finds: ['/kpis/0/label'],
    good: { kpis: [{ value: '12', label: 'Ждут решения', hint: 'из 48' }] },
  }),
  check({ definition, screen }, report) {
    if (screen.product.view !== 'operational') return;
    for (const [index, kpi] of (definition.kpis ?? []).entries()) {
      const found = findMetric(kpi);
      if (found === undefined) continue;
      report(
        pointer('kpis', index, found.property),
        `${quote(found.text)} is ${found.kind}, a management metric, in an operational view. Remove it, or set product.view to "management".`,
      );
    }
  },
};

const properties = ['label', 'value', 'hint', 'note'] as const;

/** What management asks for, by the words that people use for it. Whole words only: see `words`. */
const metrics: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  {
    kind: 'return on investment',
    pattern: words(
      'roi|romi|рои|return on (?:the )?investments?|pay[- ]?back',
      'окупаемост\\p{L}*|окупа(?:ет|ют|ем|ть)\\p{L}*|окуп(?:ит|ят|ил)\\p{L}*',
      '(?:возврат|рентабельност|отдач|доходност)\\p{L}* (?:от |на )?(?:инвестици|вложени|вложенн)\\p{L}*',
      'өтелімділі[кг]\\p{L}*|қайтарымдылы[қғ]\\p{L}*|қайтарым\\p{L}* мерзім\\p{L}*',
      '(?:инвестици|салым|қаржы|қаражат)\\p{L}*(?: \\p{L}+)? қайтарым\\p{L}*',
    ),
  },
  {
    kind: 'FTE',
    pattern: words(
      "ftes?|fte's|фте|full[- ]time[- ]equivalents?|head-?count (?:saved|freed|released|reduction)",
      'эквивалент\\p{L}* полн\\p{L}+ (?:рабоч\\p{L}+ )?(?:занятост|ставк|времен|дн)\\p{L}*',
      'штатн\\p{L}+ единиц\\p{L}*|(?:высвобожд|высвобод)\\p{L}* (?:\\S+ )?(?:ставк|ставок|сотрудник|персонал)\\p{L}*',
      'толық (?:жұмыс )?(?:күн|уақыт|ставка|жұмыспен қамту)\\p{L}*(?: \\p{L}+)? (?:балама|эквивалент)\\p{L}*',
      'штат(?:тық)? бірлі[кг]\\p{L}*|босатылған (?:\\S+ )?(?:ставка|штат|қызметкер)\\p{L}*',
    ),
  },
  {
    kind: 'hours saved',
    pattern: words(
      '(?:man-?|person-?)?(?:hours?|hrs?|h|minutes?|days?|time)(?: of \\p{L}+| \\p{L}+)? (?:saved|freed|released)',
      '(?:saved|freed(?: up)?|released|saves?|saving|savings(?: of| in)?) (?:\\S+ ){0,2}?(?:hours?|hrs|h|man-?hours?|person-?hours?|time)',
      'time[- ]savings?|hours?[- ]savings?',
      `${savedRu()}(?: \\S+){0,2} (?:час\\p{L}*|ч|времен\\p{L}*|время|минут\\p{L}*|дн\\p{L}+|человеко\\S*|труд\\p{L}*)`,
      `(?:час\\p{L}*|ч|времен\\p{L}*|время|минут\\p{L}*|дней|дня)(?: \\S+)? (?:${savedRu()}|высвобожд\\p{L}*)`,
      `высвобожд\\p{L}*(?: \\S+)? (?:час\\p{L}*|времен\\p{L}*|время)`,
      '(?:сағат|уақыт|минут|күн)\\p{L}*(?: \\p{L}+)? (?:үнем|үнемде\\p{L}*)',
      '(?:үнем|үнемде\\p{L}*|босатылған)(?: \\S+)? (?:сағат|уақыт|минут|адам-сағат)\\p{L}*',
    ),
  },
  {
    kind: 'monetary effect',
    pattern: words(
      '(?:monetary|financial|economic|cash|money|ebitda|p&l) (?:effect|impact|benefit|gain)s?',
      '(?:cost|money|budget|expense)s?[- ](?:savings?|saved|avoidance|reductions?)|saved (?:money|costs?|budget)',
      '(?:total|net|annual|yearly|monthly) (?:savings?|benefits?)|npv|irr',
      '(?:экономическ|финансов|денежн|монетарн)\\p{L}* (?:эффект|выгод|результат от)\\p{L}*',
      'эффект\\p{L}* (?:в деньгах|в тенге|в рублях|в ₸|в \\$|от (?:внедрени|автоматизац|робот)\\p{L}*)',
      `${savedRu()}|(?:снижени|сокращени)\\p{L}* (?:затрат|расходов|издержек|себестоимости)`,
      '(?:экономикалық|қаржылық|ақшалай) (?:әсер|тиімділі[кг]|пайда|нәтиже|үнем)\\p{L}*',
      'үнем|үнемде(?:л|у|ді|н)\\p{L}*|шығын\\p{L}* (?:азай|қысқар|төменде|үнемде)\\p{L}*',
    ),
  },
];

/** `экономия` and `сэкономлено`, but neither `экономика` nor `экономист`. */
function savedRu(): string {
  return '(?:сэкономл\\p{L}+|сэкономи(?:ть|л|ли|ло|т)|экономи(?:я|и|ю|ей|т|ть|ли|л))';
}

const money = '[€$£₸₽]|тенге|теңге|тг|руб\\p{L}*|kzt|usd|eur|тыс|млн|млрд';

/** Words that mean effect only beside a sum or hours in the same metric: "Saved" over "€ 12 000". */
const besideSum: readonly {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly sum: RegExp;
}[] = [
  {
    kind: 'monetary effect',
    pattern: /^(?:savings?|saved|effect|gain|эффект|выгода|әсер(?:і)?|тиімділік|пайда)$/iu,
    sum: new RegExp(money, 'iu'),
  },
  {
    kind: 'hours saved',
    pattern: /^(?:savings?|saved|freed|высвобождено)$/iu,
    sum: words('h|hrs?|hours?|ч|час\\p{L}*|сағ(?:ат)?\\p{L}*'),
  },
];

interface Found {
  readonly property: (typeof properties)[number];
  readonly text: string;
  readonly kind: string;
}

function findMetric(kpi: KpiDefinition): Found | undefined {
  for (const property of properties) {
    const text = (kpi[property] ?? '').replace(/\s+/gu, ' ');
    const metric = metrics.find(({ pattern }) => pattern.test(text));
    if (metric) return { property, text, kind: metric.kind };
  }
  const label = kpi.label.trim();
  const rest = `${kpi.value} ${kpi.hint ?? ''}`;
  const metric = besideSum.find(({ pattern, sum }) => pattern.test(label) && sum.test(rest));
  return metric && { property: 'label', text: label, kind: metric.kind };
}

/** Whole words in any script: `\b` knows Latin letters only. */
function words(...alternatives: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
}
