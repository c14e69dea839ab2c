import { withoutSteps } from './model-page-maker.js';

describe('an instruction as people read it', () => {
  it.each([
    ['Show  our\r\nruns ', 'Show our runs'],
    ['Before\n```steps\nsay Hi\n```\nafter', 'Before after'],
    ['One\n~~~ steps\nsay Hi\n~~~~\ntwo\r\n  ```steps\r\nwait 1\r\n```\r\nthree', 'One two three'],
    ['````\n```steps\nsay Hi\n```\n````', '```` ```steps say Hi ``` ````'],
    ['Open\n```steps\nsay Hi', 'Open ```steps say Hi'],
    ['```steps\nsay Hi\n```', ''],
  ])('%j is %j', (instruction, text) => {
    expect(withoutSteps(instruction)).toBe(text);
  });

  it.each([
    ['steps that do not end', '~~~steps\n', '~~~steps '],
    ['other blocks', '```\n```\n', '``` ``` '],
    ['steps', '```steps\n```\n', ''],
  ])('is read in one pass with many blocks of %s', (_, block, text) => {
    const many = 100_000;
    expect(withoutSteps(`Before\n${block.repeat(many)}`)).toBe(`Before ${text.repeat(many)}`.trim());
  });
});
