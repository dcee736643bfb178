import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** A failed test. Without a name, the file failed outside its tests. */
export type Failure = { test?: string; message: string }

/** Outcome of a test file, and the processor time that it used with everything that it started, in milliseconds. */
export type FileResult = { file: string; project: string; passed: number; failures: Failure[]; processorMs: number }

/** Outcome of a run. `errors` belong to no file. */
export type Report = { files: FileResult[]; errors: string[] }

/** Writes the outcome of a run into a file, for `runTests.ts`. */
export class ReportWriter implements Reporter {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: Report = { files: modules.map(resultOf), errors: errors.map(textOf) }
    writeFileSync(this.path, JSON.stringify(report))
  }
}

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()]
  const failedTests = tests
    .filter((test) => test.result().state === 'failed')
    .map((test) => ({ test: test.fullName, message: textOf(test.result().errors?.[0]) }))
  const outside = [module, ...module.children.allSuites()].flatMap((group) => group.errors())
  return {
    file: relative(process.cwd(), module.moduleId),
    project: module.project.name,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures: [...failedTests, ...outside.map((error) => ({ message: textOf(error) }))],
    processorMs: module.meta().times?.processor ?? 0,
  }
}

const textOf = (error: Pick<SerializedError, 'message' | 'stack'> | undefined): string =>
  error?.stack || error?.message || 'unknown error'
