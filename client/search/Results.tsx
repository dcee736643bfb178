import { Button } from '@mantine/core'
import { IconFileSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { Volume } from '#events/snapshots.ts'
import { TagsDialog } from '../parts/tags/TagsDialog.tsx'
import type { Entry } from '#events/entries.ts'
import { Card } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ShownToggles } from '../ui/ShownToggles.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { noResults } from './noResults.ts'
import { ResultTable } from './ResultTable.tsx'
import type { SearchAddress } from './searchAddress.ts'
import type { FoundResults } from './useFound.ts'
import type { GoSearch } from './useSearchAddress.ts'

type ResultsProps = {
  address: SearchAddress
  go: GoSearch
  results: FoundResults
  volumes: readonly Volume[]
  onClear: () => void
}

/** What was found of files or of folders, or that nothing was. */
export function Results({ address, go, results, volumes, onClear }: ResultsProps) {
  const { list, found } = results
  const [tagged, tag] = useState<Entry>()
  const title = list === 'files' ? 'Files' : 'Folders'
  return (
    <>
      <Card title={title} remote={found} skeleton={<Skeleton rows={12} />} actions={<ShownToggles />}>
        {({ total, elements }) =>
          total === 0 ? (
            <Notice icon={IconFileSearch} step={<Button onClick={onClear}>Clear filters</Button>}>
              {noResults(list, address.filters, volumes)}
            </Notice>
          ) : elements.length === 0 ? (
            <Notice icon={IconFileSearch} step={<Button onClick={() => go({ page: 1 })}>First page</Button>}>
              There are fewer results than that: this page is empty.
            </Notice>
          ) : (
            <ResultTable address={address} go={go} results={results} onTags={tag} />
          )
        }
      </Card>
      <TagsDialog entry={tagged} onClose={() => tag(undefined)} />
    </>
  )
}
