import { it } from 'vitest';
import { model, playModel } from './money-play.js';
import { createWorld, openMoney } from './money-under-test.js';
import { createMortal } from './mortal.js';

it(`a random sequence of requests and failures leaves no money unrecorded on files (seed ${model.seed})`, async () => {
  const storage = {
    isServedByMany: false,
    createWorld,
    open: (world: Parameters<typeof openMoney>[0], label: string) =>
      openMoney(world, createMortal(), undefined, label),
  };
  await playModel(storage, model.runs(10));
}, 3_600_000);
