import type { StartingContent } from './site-content.js';

/**
 * The content that `serve --demo` puts into an empty data folder: a small bakery and coffee shop in Almaty. The shop,
 * its street and its prices (in tenge) are fictional.
 */
export const demoContent = {
  shop: {
    name: 'Nan & Örik',
    phone: '+7 727 000 00 00',
    whatsapp: '+7 700 000 00 00',
    address: '12 Örik Street, Almaty',
    hours: 'Tu-Fr 07:30-20:00, Sa-Su 08:30-19:00',
    language: 'en',
    map: 'https://www.openstreetmap.org/#map=15/43.2389/76.8897',
  },
  settings: {
    heroTitle: 'Nan & Örik',
    heroSubtitle:
      'Bread from a stone oven, slow coffee and things for a generous table. Baked every morning in a small workshop in Almaty.',
    theme: 'light',
  },
  products: [
    {
      name: 'Tandyr sourdough',
      tagline: 'Thirty hours from starter to crust',
      description:
        'Our everyday loaf: wheat from Kostanay, a spoon of rye, water and salt. It rests in the cold overnight and bakes against hot stone, so the crust sings when it comes out and the crumb stays moist until the third day.',
      price: 1450,
      image: '/demo/sourdough.svg',
      features: [
        '900 g, keeps for three days',
        'Wheat and rye, no added yeast',
        'Out of the oven at 7:00 and 15:00',
      ],
      category: 'Bakery',
    },
    {
      name: 'Baursak, a dozen',
      tagline: 'Warm, round and gone before you sit down',
      description:
        'Fried to order in small batches and packed in paper while still warm. Made with kefir, the way it was made in our grandmother’s kitchen in Taraz.',
      price: 1200,
      image: '/demo/baursak.svg',
      features: ['Twelve pieces', 'Kefir dough, sunflower oil', 'Fried after you order'],
      category: 'Bakery',
    },
    {
      name: 'Apricot and walnut galette',
      tagline: 'Summer apricots under a folded crust',
      description:
        'Half apricots from the Talgar orchards over crushed walnut, in a butter crust folded by hand. Serves six politely or four honestly.',
      price: 3600,
      image: '/demo/galette.svg',
      features: ['24 cm, serves four to six', 'Order by 18:00 for the next day', 'Contains nuts'],
      category: 'Bakery',
    },
    {
      name: 'Steppe espresso beans',
      tagline: 'Cocoa, dried fig, a long finish',
      description:
        'A dark and even roast for moka pots and espresso machines. We roast on Mondays and Thursdays and write the day on every bag.',
      price: 4900,
      image: '/demo/beans.svg',
      features: ['250 g, whole bean', 'Roasted twice a week', 'Ground for free: tell us for what'],
      category: 'Coffee',
    },
    {
      name: 'Cold brew',
      tagline: 'Eighteen hours in cold water',
      description:
        'Steeped overnight from a light Ethiopian roast and filtered twice. Drink it as it is, or with tonic and a slice of orange.',
      price: 1900,
      image: '/demo/cold-brew.svg',
      features: [
        '500 ml glass bottle',
        'Keeps for five days in the fridge',
        'Bottle deposit 200 ₸',
      ],
      category: 'Coffee',
    },
    {
      name: 'Mountain apricot jam',
      tagline: 'More fruit than sugar',
      description:
        'Cooked in a wide copper pan for less than half an hour, so it still tastes of the fruit. A few kernels go in for a trace of almond.',
      price: 2800,
      image: '/demo/apricot-jam.svg',
      features: ['320 g', '65 % fruit', 'Made in July, sold until it is gone'],
      category: 'Pantry',
    },
    {
      name: 'Tien Shan herb tea',
      tagline: 'Thyme, oregano and wild rose',
      description:
        'Picked above Lake Issyk in late summer and dried in the shade. One spoon for a pot, five minutes, and the kitchen smells of the hills.',
      price: 2400,
      image: '/demo/herb-tea.svg',
      features: ['80 g, about thirty pots', 'No caffeine', 'Paper tin that can be refilled'],
      category: 'Pantry',
    },
    {
      name: 'Stoneware piala',
      tagline: 'A small bowl that asks for another pour',
      description:
        'Thrown by Aigerim in the workshop next door. The glaze breaks to turquoise at the rim; no two are quite the same.',
      price: 5200,
      image: '/demo/piala.svg',
      features: ['180 ml', 'Dishwasher and microwave safe', 'Sold one by one or as a set of six'],
      category: 'Table',
    },
    {
      name: 'Linen table runner',
      tagline: 'For a dastarkhan that keeps growing',
      description:
        'Washed linen with a ram’s-horn border, printed by hand. It softens with every wash and does not mind a spilt tea.',
      price: 12900,
      image: '/demo/runner.svg',
      features: ['45 × 180 cm', 'Pure linen, hand printed', 'Wash at 40 °C'],
      category: 'Table',
    },
  ],
  announcements: [
    {
      title: 'Open on Independence Day, with a longer table',
      date: '2026-11-18',
      content:
        'On 16 December we bake from 8:00 to 14:00. There will be free baursak for everyone who comes before ten, and the long table is set outside if the weather lets us.',
      active: true,
    },
    {
      title: 'Winter hours',
      date: '2026-11-01',
      content:
        'Until the end of February: Tuesday to Friday 7:30 to 20:00, Saturday and Sunday 8:30 to 19:00. We rest on Mondays, the starter does too.',
      active: true,
    },
    {
      title: 'This year’s apricot jam is here',
      date: '2026-08-21',
      content:
        'Two hundred and forty jars from the Talgar orchards. Last year they were gone by October; ask at the counter and we put one aside for you.',
      active: true,
    },
    {
      title: 'Bread class in January',
      date: '2027-01-05',
      content:
        'Three Sunday mornings on starter, shaping and baking at home. Dates and the sign-up list will be published after the holidays.',
      active: false,
    },
  ],
} as const satisfies StartingContent;
