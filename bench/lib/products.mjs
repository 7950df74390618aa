// Twenty products of realistic size.
export const products = Array.from({ length: 20 }, (_, index) => ({
  name: `Product number ${index + 1}`,
  tagline: 'A short line that says why one would want it',
  description: 'Two or three sentences that say what it is made of and how it is used. '.repeat(3),
  price: 1000 + index * 50,
  image: `/demo/picture-${index + 1}.svg`,
  features: ['Made by hand', 'Keeps for three days', 'Two sizes'],
  category: ['Bakery', 'Coffee', 'Home'][index % 3],
  order: index + 1,
}));
