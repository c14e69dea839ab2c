import { headerText, prefersStrict } from './ignored-fields.js';

describe('the preference for strict handling', () => {
  it.each([
    'handling=strict',
    'handling="strict"',
    'Handling = STRICT',
    'respond-async, handling=strict',
    'handling=strict; foo="bar", wait=10',
  ])('is read from %s', (prefer) => expect(prefersStrict(prefer)).toBe(true));

  it.each([
    undefined,
    '',
    'handling=lenient',
    'handling=stricter',
    'xhandling=strict',
    'wait=10;handling=strict',
  ])('is not read from %s', (prefer) => expect(prefersStrict(prefer)).toBe(false));

  it('is read from one of many headers', () => {
    expect(prefersStrict(['wait=10', 'handling=strict'])).toBe(true);
  });
});

describe('the header with ignored fields', () => {
  const header = (...paths: string[]) => headerText(paths.map((path) => ({ path, meant: undefined })));

  it('names them with commas', () => {
    expect(header('mesage', 'models.agent.modle')).toBe('mesage, models.agent.modle');
  });

  it('holds no character that is not of a header', () => {
    expect(header('a,b\r\nX-Evil: 1', 'ü', '\ud800', '😀')).toBe(
      'a%2Cb%0D%0AX-Evil%3A%201, %C3%BC, %EF%BF%BD, %F0%9F%98%80',
    );
  });

  it('ends before it becomes too long', () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(199, 'x'));
    expect(header(...names).split(', ')).toEqual(names.slice(0, 9));
  });
});
