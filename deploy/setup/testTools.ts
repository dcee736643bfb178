import { findNatsServer } from '../local/stores/findNatsServer.ts'
import { azurite } from './azurite/azurite.ts'
import { chromium } from './chromium.ts'
import { libreOffice } from './libreOffice.ts'
import { promtool } from './promtool.ts'
import { findOrInstall, packagedTool, toolsFolder } from './tool.ts'

const curl = packagedTool('curl', 'for the tests of copied commands (1 MB to download)')
const python = packagedTool('python3', 'for the tests of examples (5 MB to download)')
const jq = packagedTool('jq', 'for the tests of examples (1 MB to download)')

/** Projects of vitest.config.ts, with the tools that their tests use in addition to the dependencies. */
const tools = {
  all: [azurite, curl, jq, promtool, python],
  browser: [chromium, curl],
  long: [libreOffice],
}

/** A group of tests that is run as a whole. */
export type TestProject = keyof typeof tools

/**
 * Finds or installs the tools of these projects before the tests start. Prints a sentence for each tool that can't be
 * installed, and then returns false.
 */
export function installTestTools(projects: readonly TestProject[]): boolean {
  const steps = [
    () => findNatsServer(toolsFolder, console.log),
    ...new Set(projects.flatMap((project) => tools[project])),
  ].map((step) => (typeof step === 'function' ? step : () => findOrInstall(step)))
  const faults = steps.flatMap((step) => {
    try {
      step()
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  })
  for (const fault of faults) console.error(fault)
  return faults.length === 0
}
