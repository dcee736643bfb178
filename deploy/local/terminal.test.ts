import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'

const here = (file: string) => JSON.stringify(import.meta.resolve(file))

test('a program whose engine is at a statement without end exits at once, with its code and after its listeners', async () => {
  const program = `
    import { openClickHouse } from ${here('#server/platform/clickhouse/index.ts')}
    import { sql } from ${here('#server/platform/clickhouse/sql.ts')}
    import { exitNow } from ${here('./terminal.ts')}
    const engine = await openClickHouse(${JSON.stringify(`chdb:${testFolder('chdb')}`)})
    void engine.rows(sql\`SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 3\`, { seconds: 600 })
    for (let running = 0; running < 1; )
      running = (await engine.rows(sql\`SELECT 1 FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%processes%'\`)).length
    process.on('exit', () => process.stdout.write('listened'))
    exitNow(3)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [printed, ended] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect([printed, ended]).toEqual(['listened', [3, null]])
})
