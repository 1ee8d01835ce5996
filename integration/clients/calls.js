// What the JavaScript programs share: a call and its line.
'use strict';

// call runs a call and prints what became of it; it returns what the call returned.
async function call(name, run) {
  try {
    const result = await Promise.race([run(), late()]);
    console.log(`ok ${name}`);
    return result;
  } catch (e) {
    const text = `${e.message || e}`.replace(/\s+/g, ' ');
    const refused = text.includes('49999') || text.includes('the sandbox does not model') || e.number === 49999;
    console.log(`${refused ? 'refused' : 'FAIL'} ${name}: ${text}`);
  }
}

// late fails a call that never ends.
const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error('no answer in a minute')), 60_000).unref());

// same fails a call that has another outcome.
function same(want, got) {
  if (JSON.stringify(want) !== JSON.stringify(got)) throw new Error(`${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
}

module.exports = { call, same };
