import { Button, Menu } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { Fragment } from 'react'
import { statements } from '#events/projects/statements.ts'
import { monthText } from '#events/projects/statementWords.ts'
import { download } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { saveFile } from '#client/app/saveFile.ts'
import { useBusy } from '#client/app/useBusy.ts'

const kinds = [
  { call: statements.allAsXlsx, text: 'XLSX' },
  { call: statements.allAsCsv, text: 'CSV' },
] as const

/** Months in the menu; the files of older months are available from each project. */
const maxMonths = 12

/** Menu that downloads the statements of all projects for a month in one file. */
export function AllStatements() {
  const months = useRemote(statements.months, {}, 'projects')
  const [busy, save] = useBusy(async (call: (typeof kinds)[number]['call'], month: string) =>
    saveFile(await download(call, { params: { month } })),
  )
  // While loading, the button keeps its room.
  if (months.error || months.data?.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={busy}
          disabled={!months.data}
          leftSection={<IconReceipt size={16} stroke={1.5} />}
        >
          All statements
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(months.data ?? []).slice(0, maxMonths).map((month) => (
          <Fragment key={month}>
            {kinds.map(({ call, text }) => (
              <Menu.Item key={text} onClick={() => save(call, month)}>
                {`${monthText(month)} (${text})`}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
