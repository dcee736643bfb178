import { Button, Checkbox } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { PlanRow } from '#events/actions/plans.ts'
import { type PolicyRun, policyRuns } from '#events/policies/runs.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { fileColumns, PlanFiles } from '#client/parts/actions/wizard/LeftOut.tsx'
import { Folded } from '#client/ui/Folded.tsx'
import { Confirm } from '#client/ui/form/Confirm.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { counted } from '#client/ui/text/count.ts'

/** Files of a run. Those in quarantine can be put back, all or some of them. */
export function RunFiles({ run }: { run: PolicyRun }) {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, ask] = useState(false)
  const held = run.quarantine?.files ?? 0
  const [busy, putBack] = useBusy(async () => {
    const { jobId } = await call(policyRuns.undo, { params: { id: run.id }, body: { paths: [...chosen] } })
    ask(false)
    choose(new Set())
    toast({ kind: 'success', message: `Job ${jobId} puts the files back` })
  })
  const named = chosen.size > 0 ? counted(chosen.size, 'file') : `all ${counted(held, 'file')}`
  return (
    <>
      {held > 0 && (
        <div>
          <Button variant="default" leftSection={<IconArrowBackUp size={16} stroke={1.5} />} onClick={() => ask(true)}>
            Put back {named}
          </Button>
        </div>
      )}
      <Folded summary={`List of ${counted(run.files, 'file')}`} isSet={run.state === 'waiting'} isInvalid={false}>
        <PlanFiles
          label="Files of the run"
          list={policyRuns.files}
          id={run.id}
          columns={held > 0 ? choosable({ chosen, choose }) : fileColumns}
          leftOut="false"
        />
      </Folded>
      <Confirm
        opened={isAsking}
        title="Put files back"
        verb={`Put back ${named}`}
        isHarmless
        busy={busy}
        onCancel={() => ask(false)}
        onConfirm={putBack}
      >
        The files return to their folders with their owners, times and permissions. Where another file has the same path
        now, the file stays in quarantine, and the result names it.
      </Confirm>
    </>
  )
}

type Choosing = { chosen: ReadonlySet<string>; choose: (chosen: ReadonlySet<string>) => void }

/** Columns of files, with a checkbox before each path. */
const choosable = (choosing: Choosing): Column<PlanRow>[] =>
  fileColumns.map((column) =>
    column.key === 'path'
      ? {
          ...column,
          cell: (row) => (
            <Choice row={row} {...choosing}>
              {column.cell(row)}
            </Choice>
          ),
        }
      : column,
  )

type ChoiceProps = Choosing & { row: PlanRow; children: ReactNode }

function Choice({ row: { path }, chosen, choose, children }: ChoiceProps) {
  const change = (isChosen: boolean) =>
    choose(new Set(isChosen ? [...chosen, path] : [...chosen].filter((one) => one !== path)))
  return (
    <span className="row gap-8">
      <Checkbox
        aria-label={`Put back ${path}`}
        checked={chosen.has(path)}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {children}
    </span>
  )
}
