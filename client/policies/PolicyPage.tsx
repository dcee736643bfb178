import { Button } from '@mantine/core'
import { IconPlayerPlay, IconSearch, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { type Policy, type PolicySearch, policies } from '#events/policies/policies.ts'
import { policyRuns } from '#events/policies/runs.ts'
import { useQuery } from '#client/app/address.ts'
import { call } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useBackToList } from '#client/app/useBackToList.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { paramsOf, queryFacts } from '#client/parts/searched/queryFacts.ts'
import { isEmptySearch, readSearchAddress, searchedBy } from '#client/parts/searched/searchAddress.ts'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { useTableForm } from '#client/parts/settings-table/useTableForm.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { AllPaused, usePaused } from './AllPaused.tsx'
import { policyForm } from './form/policyForm.ts'
import { OnlyAdministrators } from './OnlyAdministrators.tsx'
import { allPolicies } from './policyWords.ts'
import { RunsCard } from './runs/RunsCard.tsx'
import { Trial } from './trial/Trial.tsx'

const icon = { size: 16, stroke: 1.5 }

/** A new policy for the search in the URL. */
export function NewPolicyPage() {
  const search = useSearchOfUrl()
  return (
    <Page title="New policy">
      <OnlyAdministrators>
        {search ? <Editor key={JSON.stringify(search)} edited="new" search={search} /> : <NoSearch />}
      </OnlyAdministrators>
    </Page>
  )
}

function NoSearch() {
  const links = useLinks()
  return (
    <Notice
      icon={IconSearch}
      step={
        <Button component={Link} href={links.search()}>
          Search for files
        </Button>
      }
    >
      A policy starts with a search that names some files. Search for them, then choose Make a policy.
    </Notice>
  )
}

/** The search of the URL; undefined without one. */
function useSearchOfUrl(): PolicySearch | undefined {
  const [query] = useQuery()
  const address = readSearchAddress(query)
  return isEmptySearch(address) ? undefined : searchedBy(address)
}

/** A policy with its runs. */
export function PolicyPage() {
  const { id = '' } = useParams<{ id: string }>()
  return (
    <OnlyAdministrators>
      <KnownPolicy key={id} id={Number(id)} />
    </OnlyAdministrators>
  )
}

function KnownPolicy({ id }: { id: number }) {
  const list = useRemote(policies.list, allPolicies, 'policies')
  const paused = usePaused()
  const policy = list.data?.elements.find((one) => one.id === id)
  const search = useSearchOfUrl()
  const back = useLinks().policies()
  const missing = list.data && !policy ? new Error('The policy was deleted') : list.error
  useBackToList({ ...list, data: policy, error: missing }, back, missing?.message ?? policies.list.failure)
  return (
    <Page title={policy?.name ?? 'Policy'} actions={policy && <Actions policy={policy} />}>
      <RemoteContent remote={{ ...list, data: policy }} skeleton={<Skeleton rows={10} />}>
        {(policy) => (
          <div className="stack gap-12">
            <AllPaused {...paused} />
            <RunsCard policy={policy} />
            <Editor key={JSON.stringify(search)} edited={policy} search={search ?? policy.search} />
          </div>
        )}
      </RemoteContent>
    </Page>
  )
}

function Actions({ policy }: { policy: Policy }) {
  const list = useLinks().policies()
  const [deleting, remove] = useState<Policy>()
  const [busy, run] = useBusy(async () => {
    await call(policyRuns.start, { params: { id: policy.id } })
  })
  return (
    <>
      <Button variant="default" leftSection={<IconTrash {...icon} />} onClick={() => remove(policy)}>
        Delete policy
      </Button>
      <Button leftSection={<IconPlayerPlay {...icon} />} loading={busy} onClick={run}>
        Plan a run
      </Button>
      <ConfirmDeletion
        deleting={deleting}
        title="Delete the policy"
        verb="Delete policy"
        remove={({ id }) => call(policies.remove, { params: { id } })}
        deletedText={({ name }) => `Policy ${name} was deleted`}
        onClose={() => remove(undefined)}
        onDeleted={() => navigate(list, { replace: true })}
      >
        {`Delete policy ${policy.name} with the list of its runs? Files stay as they are.`}
      </ConfirmDeletion>
    </>
  )
}

/** Form of a policy next to its trial on the past. */
function Editor({ edited, search }: { edited: Policy | 'new'; search: PolicySearch }) {
  const links = useLinks()
  const isNew = edited === 'new'
  const { form, busy, submit } = useTableForm(
    policyForm,
    callsOf(policies),
    edited,
    (created: { id: number } | undefined) => {
      const id = isNew ? created?.id : edited.id
      if (id !== undefined) navigate(links.policy(id), { replace: true })
    },
    { initial: { search } },
  )
  return (
    <div className="halves start">
      <form onSubmit={submit} noValidate>
        <Panel title={isNew ? 'Policy' : 'Settings'}>
          <div className="stack inset gap-16">
            <Searched search={search} policyId={isNew ? undefined : edited.id} />
            <FormInputs inputs={policyForm.inputs} form={form} busy={busy} edited={edited} />
            <div className="flex end">
              <Button type="submit" loading={busy}>
                {isNew ? 'Create policy' : 'Save policy'}
              </Button>
            </div>
          </div>
        </Panel>
      </form>
      <Trial
        search={search}
        action={form.values['kind'] as Policy['action']['kind']}
        days={Number(form.values['untouchedDays'])}
        onDays={(days) => form.setFieldValue('untouchedDays', days)}
        isFolded={!isNew}
      />
    </div>
  )
}

/** The search in words, with a link that opens it. */
function Searched({ search, policyId }: { search: PolicySearch; policyId: number | undefined }) {
  const links = useLinks()
  const volumes = useVolumesAt(undefined).data?.elements ?? []
  const params = 'filters' in search ? paramsOf(search.filters) : { criteria: JSON.stringify(search.criteria) }
  return (
    <section className="stack gap-4" aria-label="Search">
      <div className="row between">
        <h3 className="strong">Files of this search</h3>
        <Link href={links.search({ ...params, ...(policyId !== undefined && { policy: policyId }) })}>
          Change in Search
        </Link>
      </div>
      <ul className="row wrap gap-4-8">
        {queryFacts(search, volumes).map(([name, text]) => (
          <li key={name}>
            <Chip>{`${name}: ${text}`}</Chip>
          </li>
        ))}
      </ul>
    </section>
  )
}
