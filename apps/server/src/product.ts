/** The modules of the product: what players, staff and jobs need. */
import type { Chain } from '#src/adapters/chain/open-chain.ts'
import { accountsModule } from '#src/modules/accounts/module.ts'
import { betsModule } from '#src/modules/bets/module.ts'
import { consoleModule } from '#src/modules/console/module.ts'
import { contentModule } from '#src/modules/content/module.ts'
import { depositsModule } from '#src/modules/deposits/module.ts'
import { disclosureModule } from '#src/modules/disclosure/module.ts'
import { fairnessModule } from '#src/modules/fairness/module.ts'
import { areClocksApart } from '#src/modules/games/catalog.ts'
import { gamesModule } from '#src/modules/games/module.ts'
import { inboxModule } from '#src/modules/inbox/module.ts'
import { ownAccountModule } from '#src/modules/own-account/module.ts'
import { protectionModule } from '#src/modules/protection/module.ts'
import { publicLogModule } from '#src/modules/public-log/module.ts'
import { robotsModule } from '#src/modules/robots/module.ts'
import { roomsModule } from '#src/modules/rooms/module.ts'
import { roundsModule } from '#src/modules/rounds/module.ts'
import { staffModule } from '#src/modules/staff/module.ts'
import { walletModule } from '#src/modules/wallet/module.ts'
import { withdrawalsModule } from '#src/modules/withdrawals/module.ts'
import type { Resources } from '#src/resources.ts'

/** Makes the modules, each from those before it. */
export async function makeProduct(resources: Resources, chain: Chain) {
  const staff = await staffModule(resources)
  const { balance, ...wallet } = walletModule(resources)
  const protection = protectionModule({ ...resources, areClocksApart })
  const { catalog, ...games } = gamesModule(resources)
  const fairness = fairnessModule(resources)
  const publicLog = publicLogModule(resources)
  const { readLogFile, readLogProof, readOwedLog, signReceipt } = publicLog
  const rounds = roundsModule({ ...resources, readLogProof })
  const bets = betsModule({ ...resources, balance, readLogProof, signReceipt })
  const accounts = accountsModule({
    ...resources,
    money: bets.money,
    noteMark: protection.noteMark,
    isPasskeyOfStaff: staff.isPasskey,
  })
  const rooms = roomsModule({ ...resources, catalog })
  const robots = await robotsModule({ ...resources, catalog })
  const deposits = depositsModule({
    ...resources,
    balance,
    accountKey: chain.accountKey,
    ownersProof: staff.ownersProof,
    chain: chain.name,
  })
  const withdrawals = withdrawalsModule({
    ...resources,
    balance,
    noteMark: protection.noteMark,
    usdtContract: chain.contract,
  })
  const content = contentModule({
    ...resources,
    catalog,
  })
  const inbox = inboxModule({ ...resources, readAnnouncements: content.readAnnouncements })

  const ownAccount = ownAccountModule({ ...resources, provePassword: accounts.provePassword })

  const disclosure = disclosureModule({ ...resources, readOwedLog })
  const otherRoutes = [staff, deposits, withdrawals].flatMap(({ routes }) => routes)
  const console = consoleModule({
    ...resources,
    readLogProof,
    otherRoutes,
    mails: staff.mails,
    noteMark: protection.noteMark,
    usdtContract: chain.contract,
  })

  const modules = [
    accounts,
    staff,
    inbox,
    wallet,
    protection,
    games,
    fairness,
    rounds,
    bets,
    publicLog,
    rooms,
    robots,
    deposits,
    withdrawals,
    content,
    ownAccount,
    disclosure,
    console,
  ]
  return {
    findCaller: accounts.findCaller,
    doubtfulSessions: accounts.doubtfulSessions,
    watchOwn: ownAccount.watchOwn,
    findStaff: staff.findStaff,
    routes: modules.flatMap(({ routes }) => routes),
    streams: rooms.streams,
    downloads: [bets, ownAccount, console].flatMap(({ downloads }) => downloads),
    readPicture: accounts.readPicture,
    readLogFile,
    heads: staff.heads,
    consoleAt: staff.mails.consoleAt,
    catalog,
    placeBet: bets.placeBet,
  }
}
