import { defaultPlan, planNames, planOf, plans } from './plans.js';

describe('plans', () => {
  it('have a default without limits of its own', () => {
    expect(new Set(Object.values(planOf(defaultPlan).limits))).toEqual(new Set([null]));
    expect(new Set(Object.values(planOf(defaultPlan).features))).toEqual(new Set([true]));
  });

  it.each(planNames)('%s is found by its name', (name) => {
    expect(planOf(name)).toBe(plans[name]);
  });

  it.each(['', 'of a newer version', 'constructor', '__proto__'])('%j counts as the default one', (name) => {
    expect(planOf(name)).toBe(plans[defaultPlan]);
  });
});
