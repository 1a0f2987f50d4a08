// How numbers, sizes, times and unknown texts are written. No HTML here.

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 1234567 as 1,234,567. */
export const number = value => NUMBER.format(value);

/** 1234567 as 1.2M, for where there is little room. */
export const short = value => (value < 10_000 ? ONE_DIGIT.format(value) : SHORT.format(value));

/** A number with its noun: 1 push, 2 pushes. */
export const count = (value, one, many = one + 's') => `${number(value)} ${value === 1 ? one : many}`;

export function bytes(value) {
  const step = value < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
  return `${ONE_DIGIT.format(value / 1024 ** step)} ${UNITS[step]}`;
}

export const millis = value => (value < 10 ? ONE_DIGIT.format(value) : number(value)) + ' ms';

/** 3725 as 1 h 2 min: the two greatest units. */
export function duration(seconds) {
  if (seconds < 1) {
    return seconds <= 0 ? '0 s' : ONE_DIGIT.format(seconds) + ' s';
  }
  const whole = Math.floor(seconds);
  const parts = [[Math.floor(whole / 86400), 'd'], [Math.floor(whole / 3600) % 24, 'h'], [Math.floor(whole / 60) % 60, 'min'], [whole % 60, 's']];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts.slice(first, first + 2).filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`).join(' ');
}

const pad = (value, digits = 2) => String(value).padStart(digits, '0');

/** The time of day where the reader is, with the day when it isn't today's. */
export function time(iso, withMillis = false) {
  const at = new Date(iso);
  const clock = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}` + (withMillis ? '.' + pad(at.getMilliseconds(), 3) : '');
  return at.toDateString() === new Date().toDateString() ? clock : `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock}`;
}

/** How long ago, or in how long. */
export function ago(iso) {
  const seconds = (Date.now() - new Date(iso)) / 1000;
  if (Math.abs(seconds) < 1) {
    return 'just now';
  }
  return seconds > 0 ? duration(seconds) + ' ago' : 'in ' + duration(-seconds);
}

// Controls but line end and tab, and what is invisible or turns the direction of what follows.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

const code = character => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

const NAMES = { '\0': 'NUL', '\x07': 'BEL', '\b': 'BS', '\r': 'CR', '\x1b': 'ESC', '\x7f': 'DEL' };

/** What stands for one that can't be seen: a name that everybody knows, or its code point. */
const stand = character => `⟨${NAMES[character] ?? code(character)}⟩`;

/** The beginning of a longer text, without half a character at its end. */
export const beginning = (text, longest) => text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');

/** A text in parts, of which every second one stands for something that is hidden in it. */
export function visibleParts(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    parts.push(text.slice(end, match.index), stand(match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** The bytes of a text in Base64. */
export const decoded = base64 => Uint8Array.from(atob(base64), character => character.charCodeAt(0));

/**
 * JSON with an indent, and otherwise as it was written: numbers keep their digits, doubled keys stay. Null for what is no JSON.
 */
export function pretty(json) {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  let depth = 0;
  const line = () => '\n' + '  '.repeat(depth);
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+/g) ?? [];
  return tokens.map((token, i) => {
    if (token === '{' || token === '[') {
      const empty = tokens[i + 1] === '}' || tokens[i + 1] === ']';
      depth += 1;
      return empty ? token : token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      const empty = tokens[i - 1] === '{' || tokens[i - 1] === '[';
      return empty ? token : line() + token;
    }
    return token === ',' ? ',' + line() : token === ':' ? ': ' : token;
  }).join('');
}
