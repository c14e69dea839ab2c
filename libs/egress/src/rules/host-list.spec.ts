import { isHostOf } from './host-list.js';

describe('a list of hosts', () => {
  it.each([
    ['api.example.com', true],
    ['API.Example.com', true],
    ['www.google.example', true],
    ['a.b.google.example', true],
    ['google.example', false],
    ['evilgoogle.example', false],
    ['api.example.com.evil.example', false],
    ['x.api.example.com', false],
    ['', false],
  ])('%s', (name, expected) => {
    expect(isHostOf(['api.example.com', '*.google.example'], name)).toBe(expected);
  });
});
