import type { MessageType } from './model.js';

/** The password of all demo accounts. It is public: `serve --demo` prints it, and the README shows it. */
export const demoPassword = 'warm bread at seven';

/** The bakery of the demo shop and its neighbours, all fictional. */
export const demoPeople = [
  { name: 'dana', username: 'Dana Omarova', bio: 'Bakes. Up before the magpies.' },
  { name: 'timur', username: 'Timur Bekov', bio: 'Roasts on Mondays and Thursdays.' },
  { name: 'aigerim', username: 'Aigerim Sadykova', bio: 'Stoneware, in the workshop next door.' },
  { name: 'arman', username: 'Arman Li', bio: 'Brings the bread by bicycle, in any weather.' },
  { name: 'sofia', username: 'Sofia Kim', bio: 'The tea house on the corner.' },
] as const;

export type DemoPerson = (typeof demoPeople)[number]['name'];

/** Returns an e-mail address that cannot receive mail (RFC 2606). */
export function demoEmail(name: DemoPerson): string {
  return `${name}@demo.example`;
}

export interface DemoMessage {
  readonly from: DemoPerson;
  readonly minutesAgo: number;
  readonly text: string;
  /** `text` by default. */
  readonly type?: MessageType;
}

export interface DemoChat {
  readonly type: 'private' | 'group' | 'channel';
  /** Empty for a private chat. */
  readonly name: string;
  /** The founder, then the others in the order in which they joined. */
  readonly members: readonly [DemoPerson, DemoPerson, ...DemoPerson[]];
  /** Oldest first. */
  readonly messages: readonly DemoMessage[];
  /** Number of unread messages by person. Everyone else has read all messages. */
  readonly unread: Readonly<Partial<Record<DemoPerson, number>>>;
}

const hour = 60;
const day = 24 * hour;

export const demoChats: readonly DemoChat[] = [
  {
    type: 'channel',
    name: 'Fresh today',
    members: ['dana', 'timur', 'aigerim', 'arman', 'sofia'],
    messages: [
      {
        from: 'dana',
        minutesAgo: 2 * day,
        text: 'Apricot galettes are in the window. Nine of them; last week they were gone by noon.',
      },
      {
        from: 'dana',
        minutesAgo: day + 3 * hour,
        text: 'Tandyr sourdough comes out at 7:00 and at 15:00. Call us and we put one aside.',
      },
      { from: 'dana', minutesAgo: day + 3 * hour - 1, text: '🍞', type: 'emoji' },
      {
        from: 'dana',
        minutesAgo: 3 * hour,
        text: 'The last twelve jars of this year’s apricot jam are on the shelf by the door.',
      },
    ],
    unread: { aigerim: 1, arman: 1, sofia: 2 },
  },
  {
    type: 'group',
    name: 'Early shift',
    members: ['dana', 'timur', 'arman'],
    messages: [
      { from: 'timur', minutesAgo: 23 * hour, text: 'Who has the key of the cold room?' },
      { from: 'arman', minutesAgo: 23 * hour - 2, text: 'Me. I am there in ten minutes.' },
      { from: 'dana', minutesAgo: 23 * hour - 3, text: 'Bring two sacks of rye along, please.' },
      { from: 'arman', minutesAgo: 23 * hour - 4, text: '👍', type: 'emoji' },
      {
        from: 'timur',
        minutesAgo: 2 * hour + 20,
        text: 'New beans from Yirgacheffe: floral, almost like tea. Cups are on the counter.',
      },
      { from: 'arman', minutesAgo: 2 * hour + 18, text: 'heart', type: 'sticker' },
      {
        from: 'dana',
        minutesAgo: 95,
        text: 'Thirty loaves for the tea house tomorrow instead of twenty. I start an hour earlier.',
      },
      { from: 'timur', minutesAgo: 41, text: 'Then the coffee does, too.' },
    ],
    unread: { dana: 1, arman: 2 },
  },
  {
    type: 'private',
    name: '',
    members: ['dana', 'aigerim'],
    messages: [
      {
        from: 'dana',
        minutesAgo: day + 4 * hour,
        text: 'The turquoise pialas go faster than I can put them on the shelf. Could you throw a dozen more before the holidays?',
      },
      {
        from: 'aigerim',
        minutesAgo: day + 4 * hour - 25,
        text: 'A dozen I can do. The kiln is free on Thursday.',
      },
      {
        from: 'dana',
        minutesAgo: day + 4 * hour - 26,
        text: 'Рахмет! One galette has your name on it.',
      },
      {
        from: 'aigerim',
        minutesAgo: 34,
        text: 'They are out of the kiln. The glaze came out bluer than last time, and I like it.',
      },
      { from: 'aigerim', minutesAgo: 33, text: 'tea', type: 'sticker' },
    ],
    unread: { dana: 2 },
  },
  {
    type: 'private',
    name: '',
    members: ['sofia', 'timur'],
    messages: [
      {
        from: 'sofia',
        minutesAgo: 5 * hour,
        text: 'Two bags of Steppe espresso for Friday, please, whole bean.',
      },
      {
        from: 'timur',
        minutesAgo: 5 * hour - 12,
        text: 'They are put aside, as fresh as they get.',
      },
      { from: 'sofia', minutesAgo: 5 * hour - 14, text: '☕', type: 'emoji' },
    ],
    unread: { timur: 1 },
  },
];
