/* SSE2 by its intrinsics: the same bytes natively and in the VM. */
#include <emmintrin.h>
#include <x86intrin.h>
#include <stdio.h>
int main(void){ __m128i a=_mm_set_epi8(1,-2,3,-4,5,6,7,8,-9,10,11,12,13,-14,15,16), b=_mm_set1_epi8(3); 
 unsigned m=_mm_movemask_epi8(a); _mm_pause(); _mm_mfence(); _mm_sfence(); _mm_lfence();
 __m128i s=_mm_slli_epi16(a,3), t=_mm_srli_epi32(a,5), u=_mm_srai_epi16(a,2), p=_mm_packus_epi16(s,t), q=_mm_packs_epi32(t,a), r=_mm_madd_epi16(a,b), sad=_mm_sad_epu8(a,b), mh=_mm_mulhi_epi16(a,s), mhu=_mm_mulhi_epu16(a,s), av=_mm_avg_epu8(a,b), av2=_mm_avg_epu16(a,b), ad=_mm_adds_epu8(a,s), sh=_mm_shuffle_epi32(a,0x1b), mx=_mm_max_epu8(a,s), mu=_mm_mul_epu32(a,s), cl=_mm_slli_si128(a,5), cv=a, ct=b, sl=_mm_sll_epi32(a,b), pk=_mm_packs_epi16(s,t), sq=_mm_srli_epi64(a,9), sq2=_mm_slli_epi64(a,9), sd=_mm_slli_epi32(a,9), sr=_mm_srai_epi32(a,7);
 __m128 f=_mm_sqrt_ps(_mm_set1_ps(2.0f)); f=_mm_min_ps(f,_mm_set1_ps(1.0f)); int mm=_mm_movemask_ps(f)+_mm_movemask_pd(_mm_set1_pd(-1.0)); int lt=_mm_comilt_ss(f,f); _mm_setcsr(_mm_getcsr()); double d=_mm_cvtsd_f64(_mm_sqrt_sd(_mm_set1_pd(3),_mm_set1_pd(2)));
 __m128i all[]={a,s,t,u,p,q,r,sad,mh,mhu,av,av2,ad,sh,mx,mu,cl,cv,ct,sl,pk,sq,sq2,sd,sr}; for(unsigned i=0;i<sizeof all/sizeof*all;i++){ unsigned char o[16]; _mm_storeu_si128((void*)o,all[i]); for(int k=0;k<16;k++) printf("%02x",o[k]); puts(""); }
 printf("%x %d %d %f\n",m,mm,lt,d); (void)__rdtsc(); return 0; }
