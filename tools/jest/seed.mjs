import fc from 'fast-check';

// Property tests take the seed of the run, so that the command that repeats a failed test repeats its values.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });
