import { ActionIcon, Button } from '@mantine/core'
import { IconScale, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import type { Growth } from '#events/comparison.ts'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { countText } from '#client/ui/text/count.ts'
import { Segments } from '#client/ui/form/Segments.tsx'
import {
  type ComparedPlace,
  type ComparisonAddress,
  type GrowthField,
  partsPerClick,
  maxParts,
  type ChangeComparison,
} from './comparisonAddress.ts'
import { growthPart } from './growthParts.ts'
import { GrowthRow } from './GrowthRow.tsx'
import type { ComparisonData } from './useCompared.ts'
import classes from './Growth.module.css'

const fields: { value: GrowthField; label: string }[] = [
  { value: 'folder', label: 'Folder' },
  { value: 'owner', label: 'Owner' },
  { value: 'extension', label: 'Extension' },
]

type GrowthCardProps = {
  place: ComparedPlace
  previousDate: string
  address: ComparisonAddress
  changeComparison: ChangeComparison
  grown: ComparisonData['grown']
}

/** Growth and shrinkage by direct subfolder, owner or extension. */
export function GrowthCard({ place, previousDate, address, changeComparison, grown }: GrowthCardProps) {
  return (
    <Card
      title="Growth"
      remote={grown}
      skeleton={<Skeleton rows={8} height={40} />}
      actions={<Choices address={address} changeComparison={changeComparison} />}
    >
      {({ elements, total }) =>
        elements.length === 0 ? (
          <Notice icon={IconScale}>Nothing grew or shrank.</Notice>
        ) : (
          <>
            <Parts place={place} previousDate={previousDate} by={address.by} grown={elements} />
            <More shown={elements.length} total={total} changeComparison={changeComparison} />
          </>
        )
      }
    </Card>
  )
}

type PartsProps = { place: ComparedPlace; previousDate: string; by: GrowthField; grown: Growth[] }

function Parts({ place, previousDate, by, grown }: PartsProps) {
  const volumes = useVolumes().data?.elements ?? []
  const nameOf = (id: number) => {
    const volume = volumes.find((volume) => volume.id === id)
    return volume ? volumeName(volume) : `Storage ${id}`
  }
  const max = Math.max(...grown.map(({ growth }) => Math.abs(growth)))
  return (
    <ol className={classes.parts}>
      {grown.map((growth) => {
        const part = growthPart(growth, by, place, nameOf)
        return <GrowthRow key={part.key} {...{ part, growth, max, place, previousDate }} />
      })}
    </ol>
  )
}

function Choices({ address: { by, growth }, changeComparison }: Pick<GrowthCardProps, 'address' | 'changeComparison'>) {
  const Sign = growth === 'desc' ? IconSortDescending : IconSortAscending
  const word = growth === 'desc' ? 'Show what shrank most first' : 'Show what grew most first'
  return (
    <>
      <Segments label="Growth by" options={fields} chosen={by} onChoose={(by) => changeComparison({ by })} />
      <ActionIcon
        variant="subtle"
        aria-label={word}
        title={word}
        onClick={() => changeComparison({ growth: growth === 'desc' ? 'asc' : 'desc' })}
      >
        <Sign size={18} stroke={1.5} />
      </ActionIcon>
    </>
  )
}

function More({
  shown,
  total,
  changeComparison,
}: {
  shown: number
  total: number
  changeComparison: ChangeComparison
}) {
  if (shown >= total) return null
  const more = Math.min(partsPerClick, total - shown)
  return (
    <div className={classes.more}>
      {shown < maxParts && (
        <Button
          variant="default"
          onClick={() => changeComparison({ parts: Math.min(maxParts, shown + partsPerClick) })}
        >
          Show {more} more
        </Button>
      )}
      <span className={classes.quiet}>
        {countText(shown)} of {countText(total)}
      </span>
    </div>
  )
}
