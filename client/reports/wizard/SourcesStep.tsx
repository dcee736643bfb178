import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconBriefcase, IconFolder, IconServer, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { dataSourceTypes } from '#events/reports/calls.ts'
import { invalidName, type SourceType, sourceTypeLabels } from '#events/reports/templates.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import { type ChosenSource, isAmong, toggled } from './reportForm.ts'
import { SourceFolder } from './SourceFolder.tsx'
import { type OfferedSource, sourcesOnPage, useOfferedSources } from './useOfferedSources.ts'
import classes from './Wizard.module.css'

type SourcesStepProps = {
  /** Purpose of the sources, in one sentence. */
  explanation: string
  sources: ChosenSource[]
  onChange: (sources: ChosenSource[]) => void
}

/** Data to search: storages and projects, or folders of these. */
export function SourcesStep({ explanation, sources, onChange }: SourcesStepProps) {
  const types = useRemote(dataSourceTypes, {})
  useFailureToast(types.error)
  const [type, setType] = useState<SourceType>('VOLUME')
  const toggle = (source: ChosenSource) => onChange(toggled(sources, source))
  return (
    <div className="stack gap-16 narrow">
      <p className="muted">{explanation}</p>
      <ChosenSources sources={sources} onRemove={toggle} />
      <Segments
        className={classes.choice}
        label="Data source type"
        options={(types.data ?? ['VOLUME', 'PROJECT']).map((type) => ({ value: type, label: sourceTypeLabels[type] }))}
        chosen={type}
        onChoose={setType}
      />
      <SourceList key={type} type={type} sources={sources} onToggle={toggle} />
    </div>
  )
}

type ChosenSourcesProps = { sources: readonly ChosenSource[]; onRemove: (source: ChosenSource) => void }

function ChosenSources({ sources, onRemove }: ChosenSourcesProps) {
  if (sources.length === 0) return <p className="muted">No data sources yet.</p>
  return (
    <ul aria-label="Chosen data sources">
      {sources.map((source) => {
        const Sign = source.type === 'PROJECT' ? IconBriefcase : IconServer
        return (
          <li className={classes.chosen} key={`${source.type} ${source.id} ${source.path}`}>
            <Sign className="muted" size={16} stroke={1.5} aria-hidden />
            <span className={source.name === invalidName ? 'critical strong' : classes.name}>{source.name}</span>
            <PathText path={source.path} />
            <ActionIcon aria-label={`Remove ${source.path} of ${source.name}`} onClick={() => onRemove(source)}>
              <IconX className="muted" size={16} stroke={1.5} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}

type SourceListProps = { type: SourceType; sources: readonly ChosenSource[]; onToggle: (source: ChosenSource) => void }

/** Lists longer than a page have a search box. */
function SourceList({ type, ...choice }: SourceListProps) {
  const [filter, setFilter] = useState('')
  const [page, setPage] = useState(1)
  const [unfolded, unfold] = useState<number>()
  const offered = useOfferedSources(type, { filter, page })
  const nouns: [string, string] = type === 'PROJECT' ? ['project', 'projects'] : ['storage', 'storages']
  const [, many] = nouns
  return (
    <div className="stack gap-8" data-takes-enter>
      <TextInput
        aria-label={`Search ${many}`}
        placeholder="Part of the name"
        autoComplete="off"
        value={filter}
        onChange={({ currentTarget }) => {
          setFilter(currentTarget.value)
          setPage(1)
        }}
      />
      <RemoteContent remote={offered}>
        {({ elements, total }) => (
          <>
            {total === 0 && <p className="muted">{`No ${many} with this name.`}</p>}
            <ul className={classes.offered} aria-label={type === 'PROJECT' ? 'Projects' : 'Storages'}>
              {elements.map((source) => (
                <SourceRow
                  key={source.id}
                  source={source}
                  {...choice}
                  isUnfolded={unfolded === source.id}
                  onUnfold={() => unfold(unfolded === source.id ? undefined : source.id)}
                />
              ))}
            </ul>
            {total > sourcesOnPage && (
              <Pagination
                nouns={nouns}
                isWhole
                isAlone
                page={page}
                size={sourcesOnPage}
                total={total}
                sizes={[sourcesOnPage]}
                onPage={setPage}
                onSize={() => {}}
              />
            )}
          </>
        )}
      </RemoteContent>
    </div>
  )
}

type SourceRowProps = Omit<SourceListProps, 'type'> & {
  source: OfferedSource
  isUnfolded: boolean
  onUnfold: () => void
}

/** A click selects the whole source. A folder can be selected instead. */
function SourceRow({ source: { size, ...source }, sources, onToggle, isUnfolded, onUnfold }: SourceRowProps) {
  const whole: ChosenSource = { ...source, path: '/' }
  return (
    <li>
      <div className={classes.source}>
        <button
          type="button"
          className={classes.whole}
          aria-pressed={isAmong(sources, whole)}
          onClick={() => onToggle(whole)}
        >
          {source.type === 'PROJECT' ? (
            <IconBriefcase size={16} stroke={1.5} aria-hidden />
          ) : (
            <IconServer size={16} stroke={1.5} aria-hidden />
          )}
          <bdi className="truncate">{source.name}</bdi>
          <Size bytes={size} />
        </button>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconFolder size={14} stroke={1.5} aria-hidden />}
          aria-label={`Choose a folder of ${source.name}`}
          aria-expanded={isUnfolded}
          onClick={onUnfold}
        >
          Folder
        </Button>
      </div>
      {isUnfolded && <SourceFolder source={whole} sources={sources} onToggle={onToggle} />}
    </li>
  )
}
