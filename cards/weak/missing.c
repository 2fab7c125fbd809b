// Verbs that the weak card does not have: each says its name.
#include "card.h"

#include <errno.h>

int missing(const char *name) {
  complain("%s is not in the weak card", name);
  return errno = EOPNOTSUPP;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
  return (void)pd, (void)attr, (void)missing("ibv_create_ah"), NULL;
}
struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc, struct ibv_grh *grh, uint8_t port) {
  return (void)pd, (void)wc, (void)grh, (void)port, (void)missing("ibv_create_ah_from_wc"), NULL;
}
int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port, struct ibv_wc *wc, struct ibv_grh *grh, struct ibv_ah_attr *attr) {
  return (void)context, (void)port, (void)wc, (void)grh, (void)attr, missing("ibv_init_ah_from_wc");
}
int ibv_destroy_ah(struct ibv_ah *ah) { return (void)ah, missing("ibv_destroy_ah"); }
int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  return (void)qp, (void)gid, (void)lid, missing("ibv_attach_mcast");
}
int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  return (void)qp, (void)gid, (void)lid, missing("ibv_detach_mcast");
}
int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *address, size_t length, int access) {
  return (void)mr, (void)flags, (void)pd, (void)address, (void)length, (void)access, (void)missing("ibv_rereg_mr"), -1;
}
int ibv_resize_cq(struct ibv_cq *cq, int cqe) { return (void)cq, (void)cqe, missing("ibv_resize_cq"); }
int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask) {
  return (void)srq, (void)attr, (void)mask, missing("ibv_modify_srq");
}
struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access) {
  return (void)pd, (void)offset, (void)length, (void)iova, (void)fd, (void)access, (void)missing("ibv_reg_dmabuf_mr"), NULL;
}
struct ibv_context *ibv_import_device(int fd) { return (void)fd, (void)missing("ibv_import_device"), NULL; }
struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t handle) {
  return (void)context, (void)handle, (void)missing("ibv_import_pd"), NULL;
}
struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t handle) {
  return (void)pd, (void)handle, (void)missing("ibv_import_mr"), NULL;
}
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece) { return (void)qp, (void)ece, missing("ibv_set_ece"); }
int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece) { return (void)qp, (void)ece, missing("ibv_query_ece"); }
ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t most, uint32_t flags, size_t size) {
  return (void)context, (void)entries, (void)most, (void)flags, (void)size, -missing("ibv_query_gid_table");
}

// The operations of a context, which verbs.h calls in line.
static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type) {
  return (void)pd, (void)type, (void)missing("ibv_alloc_mw"), NULL;
}
static int advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *sge, uint32_t sges) {
  return (void)pd, (void)advice, (void)flags, (void)sge, (void)sges, missing("ibv_advise_mr");
}
static struct ibv_mr *alloc_null_mr(struct ibv_pd *pd) { return (void)pd, (void)missing("ibv_alloc_null_mr"), NULL; }
static struct ibv_dm *alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_alloc_dm"), NULL;
}
static struct ibv_pd *alloc_parent_domain(struct ibv_context *context, struct ibv_parent_domain_init_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_alloc_parent_domain"), NULL;
}
static struct ibv_td *alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_alloc_td"), NULL;
}
static struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_create_wq"), NULL;
}
static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr) {
  return (void)context, (void)attr, (void)missing("ibv_create_cq_ex"), NULL;
}
static struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr) {
  return (void)qp, (void)attr, (void)missing("ibv_create_flow"), NULL;
}
static struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_open_qp"), NULL;
}
static struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr) {
  return (void)context, (void)attr, (void)missing("ibv_create_srq_ex"), NULL;
}
static struct ibv_xrcd *open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_open_xrcd"), NULL;
}
static struct ibv_counters *create_counters(struct ibv_context *context, struct ibv_counters_init_attr *attr) {
  return (void)context, (void)attr, (void)missing("ibv_create_counters"), NULL;
}
static int query_rt_values(struct ibv_context *context, struct ibv_values_ex *values) {
  return (void)context, (void)values, missing("ibv_query_rt_values_ex");
}
static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr) {
  return (void)cq, (void)attr, missing("ibv_modify_cq");
}

void missing_operations(struct verbs_context *context) {
  context->context.ops.alloc_mw = alloc_mw;
  context->advise_mr = advise_mr;
  context->alloc_null_mr = alloc_null_mr;
  context->alloc_dm = alloc_dm;
  context->alloc_parent_domain = alloc_parent_domain;
  context->alloc_td = alloc_td;
  context->create_wq = create_wq;
  context->create_cq_ex = create_cq_ex;
  context->ibv_create_flow = create_flow;
  context->open_qp = open_qp;
  context->create_srq_ex = create_srq_ex;
  context->open_xrcd = open_xrcd;
  context->create_counters = create_counters;
  context->query_rt_values = query_rt_values;
  context->modify_cq = modify_cq;
}
