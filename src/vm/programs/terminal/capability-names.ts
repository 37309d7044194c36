/** The names of terminfo capabilities, whether a terminal has them or not. */
/** Either true or not. */
export const flagNames: ReadonlySet<string> = new Set(
  `am bce bw ccc chts cpix crxm da daisy db eo eslok gn hc hls hs hz in km lpix mc5i mir msgr
  ndscr npc nrrmc nxon os sam ul xenl xhp xhpa xon xsb xt xvpa`.split(/\s+/),
);

/** Numbers. */
export const numberNames: ReadonlySet<string> = new Set(
  `bitwin btns bufsz colors cols cps dclk it lh lines lm lw ma maddr mcs mjump mls ncv nlab
  npins orc orhi orl orvi pairs spinh spinv vt widcs wnum wsl xmc`.split(/\s+/),
);

/** Texts to send. */
export const stringNames: ReadonlySet<string> = new Set(
  `acsc bel blink bold cbt civis clear cnorm cr csr cub cub1 cud cud1 cuf cuf1 cup cuu cuu1
  cvvis dch dch1 dim dl dl1 dsl ech ed el el1 enacs flash fsl home hpa ht hts ich ich1 if il
  il1 ind indn initc invis is1 is2 kDC kEND kFND kHOM kIC kLFT kNXT kPRV kRIT ka1 ka3 kb2
  kbeg kbs kc1 kc3 kcbt kcub1 kcud1 kcuf1 kcuu1 kdch1 kdl1 kel kend kent kf0 kf1 kf10 kf11
  kf12 kf13 kf14 kf15 kf16 kf17 kf18 kf19 kf2 kf20 kf21 kf22 kf23 kf24 kf25 kf26 kf27 kf28
  kf29 kf3 kf30 kf31 kf32 kf33 kf34 kf35 kf36 kf37 kf38 kf39 kf4 kf40 kf41 kf42 kf43 kf44
  kf45 kf46 kf47 kf48 kf49 kf5 kf50 kf51 kf52 kf53 kf54 kf55 kf56 kf57 kf58 kf59 kf6 kf60
  kf61 kf62 kf63 kf7 kf8 kf9 kfnd khlp khome kich1 kil1 kind kll kmous knp kopt kpp krdo
  kres kri kslt kspd kund lf1 lf2 lf3 lf4 mc0 mc4 mc5 meml memu mgc nel oc op rc rep rev ri
  rin ritm rmacs rmam rmcup rmir rmkx rmm rmpch rmso rmul rs1 rs2 s0ds s1ds s2ds s3ds sc
  setab setaf setb setf sgr sgr0 sitm smacs smam smcup smglp smglr smgrp smir smkx smm smpch
  smso smul tbc tsl u6 u7 u8 u9 vpa`.split(/\s+/),
);
