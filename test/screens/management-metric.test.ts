import { describe, expect, it } from 'vitest';
import { gatherProblems } from '../../src/screens/findings/gather.js';
import { lint } from '../../src/screens/rules/lint.js';

interface Kpi {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly note?: string;
}

function findings(kpi: Kpi, view?: string): readonly string[] {
  const product = { name: 'Queue', entity: 'request', ...(view ? { view } : {}) };
  return gatherProblems((add) => lint({ product, kpis: [kpi] }, {}, add))
    .problems.filter(({ rule }) => rule === 'management-metric')
    .map(({ path }) => path);
}

const wordings = [
  'ROI',
  'ROI проекта',
  'roi, %',
  'ROMI',
  'Return on investment',
  'Payback period',
  'Pay-back',
  'FTE',
  '2.4 FTE',
  'FTEs released',
  'Full-time equivalents',
  'Ставки (FTE)',
  'ФТЕ',
  'Hours saved',
  'Saved hours',
  'Time saved',
  'Saved time',
  'Time savings',
  'Man-hours saved',
  'Minutes of work saved',
  'Savings of time',
  'Hours freed',
  'Freed up hours',
  'Monetary effect',
  'Financial impact',
  'Economic effect',
  'Cost savings',
  'Money saved',
  'Cost reduction',
  'Annual savings',
  'Cost avoidance',
  'Budget savings',
  'NPV',
  'Окупаемость',
  'Окупаемость проекта',
  'Срок окупаемости',
  'Проект окупится',
  'Возврат инвестиций',
  'Возврат на инвестиции',
  'Рентабельность инвестиций',
  'Эквивалент полной занятости',
  'Штатных единиц',
  'Высвобождено ставок',
  'Высвобожденный персонал',
  'Сэкономлено часов',
  'Часов сэкономлено',
  'Экономия времени',
  'Экономия рабочего времени',
  'Сэкономленное время',
  'Экономия человеко-часов',
  'Экономия трудозатрат',
  'Высвобождено часов',
  'Экономический эффект',
  'Денежный эффект',
  'Финансовый эффект',
  'Экономическая выгода',
  'Эффект в деньгах',
  'Эффект от внедрения',
  'Экономия',
  'Экономия бюджета',
  'Экономия, ₸',
  'Снижение затрат',
  'Сокращение расходов',
  'Снижение издержек',
  'Инвестиция қайтарымы',
  'Инвестицияның қайтарымы',
  'Қайтарымдылық',
  'Қайтарымдылығы',
  'Өтелімділік',
  'Өтелімділігі',
  'Қайтарым мерзімі',
  'Салымның қайтарымы',
  'Штат бірлігі',
  'Босатылған ставка',
  'Толық жұмыс күнінің баламасы',
  'Үнемделген сағат',
  'Үнемделген уақыт',
  'Уақыт үнемдеу',
  'Уақытты үнемдеу',
  'Сағат үнемделді',
  'Экономикалық әсер',
  'Экономикалық тиімділік',
  'Экономикалық әсері',
  'Қаржылық әсер',
  'Ақшалай әсер',
  'Қаржылық тиімділігі',
  'Шығынды азайту',
  'Шығындарды қысқарту',
  'Үнем',
] as const;

const harmless = [
  'Roistat',
  'Roissy',
  'Hero',
  'After review',
  'Effective date',
  'Heroic',
  'Software',
  'Lifted',
  'Saved drafts',
  'Saved filters',
  'Savings accounts',
  'Time to respond',
  'Hours open',
  'Working hours',
  'Contract amount',
  'Average price',
  'Paid today',
  'Payments',
  'ROM size',
  'Payroll',
  'Side effects',
  'Effects',
  'Costs',
  'Impact',
  'Benefits claimed',
  'Return requests',
  'Returned',
  'Сумма договоров',
  'Эффективность',
  'Экономист',
  'Экономический отдел',
  'Экономика',
  'Сумма, ₸',
  'Возврат товара',
  'Возвраты',
  'Часов до срока',
  'Время ответа',
  'Штатный режим',
  'Ставка НДС',
  'Купон',
  'Покупатели',
  'Расходы',
  'Затраты',
  'Доходность',
  'Финансовый отдел',
  'Снижение нагрузки',
  'Тауар қайтару',
  'Қайтарылған хат',
  'Сағат',
  'Жұмыс уақыты',
  'Уақыт',
  'Экономикалық бөлім',
  'Шығындар',
  'Тиімді бағыт',
  'Үнемі ашық',
  'Ставкалар',
  'Штаттық режим',
] as const;

describe('the rule management-metric', () => {
  it.each(wordings)('reports "%s"', (label) => {
    expect(findings({ value: '12', label: label.slice(0, 32) })).toEqual(['/kpis/0/label']);
  });

  it.each(wordings)('reports "%s" in upper case', (label) => {
    expect(findings({ value: '12', label: label.toUpperCase() })).toEqual(['/kpis/0/label']);
  });

  it.each(harmless)('does not report "%s"', (label) => {
    expect(findings({ value: '12', label })).toEqual([]);
    expect(findings({ value: '12', label: 'Open', note: label })).toEqual([]);
  });

  it.each(['value', 'hint', 'note'] as const)('checks the %s of a metric', (property) => {
    const kpi = { value: '12', label: 'Open', [property]: 'экономия 3 часа' };
    expect(findings(kpi)).toEqual([`/kpis/0/${property}`]);
  });

  it('reports the labels "saved" and "effect" only with a sum or hours', () => {
    expect(findings({ value: '€ 12 000', label: 'Saved' })).toEqual(['/kpis/0/label']);
    expect(findings({ value: '12 млн ₸', label: 'Эффект' })).toEqual(['/kpis/0/label']);
    expect(findings({ value: '1 240 h', label: 'Saved' })).toEqual(['/kpis/0/label']);
    expect(findings({ value: '12', label: 'Saved' })).toEqual([]);
    expect(findings({ value: '12 млн ₸', label: 'Сумма договоров' })).toEqual([]);
  });

  it('does not report metrics in a management view', () => {
    expect(findings({ value: '12', label: 'ROI' }, 'management')).toEqual([]);
    expect(findings({ value: '12', label: 'ROI' }, 'operational')).toEqual(['/kpis/0/label']);
  });

  it('reports a metric once, even if several of its properties match', () => {
    const kpi = { value: 'ROI 12 %', label: 'ROI', hint: 'ROI', note: 'ROI' };
    expect(findings(kpi)).toEqual(['/kpis/0/label']);
  });
});
