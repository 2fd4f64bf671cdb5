import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Three shelves: `fast` (and `alone`) runs in `npm run check`, `story` besides in `npm test`, `long` only in `npm run test:long`.
const shared = {
  globalSetup: ['server/test/global-setup.ts'],
  setupFiles: ['server/test/leave-no-trace.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // How long something may take on a busy machine says nothing about whether it happens.
  expect: { poll: { timeout: 10_000 } },
}
const elsewhere = ['**/node_modules/**', '**/dist/**']
// They count timers: nobody else's may run beside them.
const alone = ['sdk/src/waiting.test.ts', 'server/src/adapters/simulator/{call-clock,simulator}.test.ts']

/**
 * The longest stories first: one that begins last keeps everybody waiting for it alone. Those with a browser need the
 * processor, the others mostly wait: one of the former to three of the latter keeps every worker busy.
 */
class WellMixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const matching = (pattern: RegExp) => sorted.filter(({ moduleId }) => pattern.test(moduleId))
    const browser = matching(/test\/browser\/.*\.story\.test\.ts$/)
    const long = matching(/test\/(faults|processes\/start).*\.story\.test\.ts$/)
    const taken = new Set([...browser, ...long])
    const others = [...long, ...sorted.filter((file) => file.moduleId.endsWith('.story.test.ts') && !taken.has(file))]
    const mixed = browser.flatMap((file) => [file, ...others.splice(0, 3)])
    const quick = sorted.filter((file) => !file.moduleId.endsWith('.story.test.ts'))
    return [...quick, ...mixed, ...others]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: WellMixed },
    // One more than the cores we count on: stories wait more than they work.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          // Files share their worker's modules: half the processor time. What one replaced is put back for the next.
          isolate: false,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, ...alone, '**/*.story.test.ts', '**/*.long.test.ts'],
        },
      },
      { test: { ...shared, name: 'alone', include: alone, exclude: elsewhere } },
      { test: { ...shared, name: 'story', include: ['**/*.story.test.ts'], exclude: elsewhere, testTimeout: 180_000 } },
      { test: { ...shared, name: 'long', include: ['**/*.long.test.ts'], exclude: elsewhere, testTimeout: 1_800_000 } },
    ],
  },
})
