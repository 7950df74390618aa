/** Kinds of text that are difficult to lay out, with their parts. */
const sources = {
  word: {
    between: '',
    parts: ['Rechtsschutzversicherungsgesellschaften', 'электроэнцефалографического'],
  },
  latin: {
    between: ' ',
    parts:
      'The supplier asks for a longer term of payment because deliveries of wheat were late in spring'.split(
        ' ',
      ),
  },
  russian: {
    between: ' ',
    parts:
      'Согласование дополнительного соглашения приостановлено до расхождения по взаимозачётам; Ответственный: Нурмагамбетова'.split(
        ' ',
      ),
  },
  kazakh: {
    between: ' ',
    parts:
      'Ауылшаруашылығы өнімдерін жеткізушілермен келісімшарттардың орындалуын қадағалау және ұйымдастырушылық'.split(
        ' ',
      ),
  },
  arabic: {
    between: ' ',
    parts: 'تمت مراجعة العقد رقم 42 وإرساله إلى قسم المشتريات للموافقة النهائية'.split(' '),
  },
  hebrew: {
    between: ' ',
    parts: 'החוזה נבדק ונשלח לאישור סופי של מחלקת הרכש עם 3 הערות'.split(' '),
  },
  emoji: { between: '', parts: ['👩🏽‍💻', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇰🇿', '✅', 'q̃'] },
  chinese: { between: '', parts: ['供应商要求延长付款期限，', '因为春季小麦交货延迟。'] },
  link: {
    between: '',
    parts: ['https://docs.example.com/archive/2026/procurement/', 'contract-4711.pdf?version=3&'],
  },
  digits: { between: '', parts: ['1234567890', '98765432109876543210'] },
} as const;

export type TextKind = keyof typeof sources;

export const textKinds = Object.keys(sources) as readonly TextKind[];

/** Returns a text of exactly `length` code points. The last word may be cut off. */
export function textOf(kind: TextKind, length: number, from = 0): string {
  const { between, parts } = sources[kind];
  let text = '';
  let used = 0;
  for (let index = from; used < length; index += 1) {
    const part: string = parts[index % parts.length] ?? '';
    const more = text === '' ? part : between + part;
    const letters = [...more];
    const rest = length - used;
    // The text must not end with a space or with a part of an emoji cluster.
    const cutOff = kind === 'emoji' ? '.'.repeat(rest) : letters.slice(0, rest).join('');
    text += letters.length <= rest ? more : cutOff.replace(/ $/, '.');
    used += Math.min(letters.length, rest);
  }
  return text;
}
