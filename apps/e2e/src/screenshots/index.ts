import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStoresOfRun, stopStoresOfRun } from '@aos/testing';
import { ConsoleBrowser, signInByKey } from '../console/console-browser.js';
import { setScene } from '../console/console-scene.js';
import { pricesOfTests, servicesBehindGateway, startStack } from '../stack.js';
import { connectAdmin, newTeam } from '../team.js';

const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { width: 390, height: 800 },
} as const;

/** `npm run screenshots [folder]`: each page of the console in light, in dark and on a phone. */
const folder = resolve(process.argv[2] ?? join('docs', 'pictures'));
await mkdir(folder, { recursive: true });
// Databases are cloned from a template for those who run in the folder of an app.
process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
await startStoresOfRun();
const stack = await startStack({
  services: servicesBehindGateway,
  environment: { BROWSER_SANDBOX: 'off', ...pricesOfTests },
});
const browser = await ConsoleBrowser.start();
try {
  const base = stack.urls[0]!;
  const team = await newTeam(await connectAdmin(stack), 'Lamp shop');
  const { pages } = await setScene(team, stack.oauth!.mcpServerUrl);
  for (const [look, options] of Object.entries(looks)) {
    const page = await browser.page(options);
    await page.goto(`${base}/console`);
    await page.screenshot({ path: join(folder, `sign-in-${look}.png`) });
    await signInByKey(page, base, team.key);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(base + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The event stream stays open, so that "no more requests" never comes; what loads says so.
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await stack.stop();
  await stopStoresOfRun();
}
