import { Card, Typography } from '@mui/material'
import { bankAccount, setBankAccount } from '@sum28/contract/staff-routes.ts'
import { useTranslate } from 'react-admin'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, REASON, useFreshProof } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'

const NAMES = ['bankname', 'bankxm', 'banknum'] as const

/** The account that players send bank deposits to. */
export function BankAccountPage() {
  const translate = useTranslate()
  const answer = useReply(bankAccount, {})
  const present = answer.data
  const proof = useFreshProof()
  return (
    <Page
      title="areas.money.bankAccount"
      aside={
        present !== undefined && (
          <ActionButton
            route={setBankAccount}
            request={{
              seen_bankname: present?.bankname,
              seen_banknum: present?.banknum,
              seen_bankxm: present?.bankxm,
            }}
            label="areas.money.setBankAccount"
            done="areas.money.bankAccountSet"
            fields={[
              ...NAMES.map((name) => ({
                name,
                label: `areas.money.${name}`,
                optional: true,
                initial: present?.[name] ?? '',
              })),
              REASON,
              ...proof,
            ]}
          >
            {translate('areas.money.noneWithout')}
          </ActionButton>
        )
      }
    >
      <Card sx={{ padding: 2 }}>
        <Loaded answer={answer}>
          {(account) =>
            account ? (
              <Typography>
                {account.bankname} · {account.bankxm} · {account.banknum}
              </Typography>
            ) : (
              <Typography color="textSecondary">
                {translate('areas.money.noBankAccount')}
              </Typography>
            )
          }
        </Loaded>
      </Card>
      <ProposalsAbout request={{ kind: 'bank_account', state: 'proposed' }} />
    </Page>
  )
}
