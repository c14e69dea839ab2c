import fc from '../../node_modules/fast-check/lib/fast-check.js';

// Property tests take the seed of the run, so that the command that repeats a failed test repeats its values.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;
