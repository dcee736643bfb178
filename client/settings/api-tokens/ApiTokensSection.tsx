import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type ApiToken, type NewApiToken, apiTokens } from '#events/api-tokens.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { countText } from '../../ui/text/count.ts'
import { ApiTokenForm } from './ApiTokenForm.tsx'
import { ApiTokenMade } from './ApiTokenMade.tsx'
import { ApiTokenRevoke } from './ApiTokenRevoke.tsx'
import { apiTokensColumns } from './apiTokensColumns.tsx'

/** What scripts sign their calls with. */
export function ApiTokensSection() {
  const [sort, setSort] = useState<Sort>({ field: 'name', direction: 'asc' })
  const query = { page: 1, size: everyToken, sort: sort.field, direction: sort.direction }
  const list = useRemote(apiTokens.list, { query }, 'apiTokens')
  const [isAdding, setAdding] = useState(false)
  const [made, show] = useState<NewApiToken>()
  const [doomed, doom] = useState<ApiToken>()
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => setAdding(true)}>
      Add API token
    </Button>
  )
  return (
    <>
      <Card title="API tokens" note={list.data && countText(list.data.total)} remote={list} folds="open">
        {({ elements }) => (
          <DataTable
            label="API tokens"
            columns={apiTokensColumns(doom)}
            rows={elements}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            empty={
              <Notice icon={IconKey} step={add}>
                No script has a token yet. A token lets a script make calls without a browser.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <ApiTokenForm opened={isAdding} onClose={() => setAdding(false)} onMade={show} onSaved={list.retry} />
      <ApiTokenMade made={made} onClose={() => show(undefined)} />
      <ApiTokenRevoke doomed={doomed} onClose={() => doom(undefined)} onDeleted={list.retry} />
    </>
  )
}

/** More than one page may hold are not made by hand. */
const everyToken = 500
